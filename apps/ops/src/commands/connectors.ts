import type { Connector, Quota } from '@passerelle/connectors';
import { GATEWAY_SETTINGS } from '@passerelle/domain';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { renderBlock } from '../render/table';
import type { RenderOptions } from '../render/render-options';
import { addCommand } from './command';

export function addConnectors(program: Command, context: CommandContext): void {
  addCommand(
    program,
    'connectors',
    'Lists the connectors of this version, with the credentials and settings of their gateways, and their request limits.',
    'connectors --json',
  ).action(async () => {
    const connectors = await context.loadConnectors();
    context.answer({
      json: connectors.map(({ code, label, type, notes, version, credentials, settings, quota }) => ({
        id: code,
        ...{ label, type, notes, version, credentials, settings },
        ...(quota !== undefined && { rates: ratesOf(quota) }),
      })),
      text: (renderOptions) => renderConnectors(renderOptions, connectors),
    });
  });
}

function renderConnectors(options: RenderOptions, connectors: readonly Connector[]): string {
  const blocks = connectors.map(({ code, label, type, notes, credentials, settings, quota }) =>
    renderBlock(options, `${code}  ${label}`, [
      { label: 'type', value: type },
      { label: 'notes', value: notes },
      ...(quota === undefined ? [] : [{ label: 'rates', value: describeRates(quota) }]),
      ...optionLines('--credential', credentials),
      ...optionLines('--set', settings),
    ]),
  );
  return [...blocks, renderBlock(options, 'every gateway', optionLines('--set', GATEWAY_SETTINGS))].join('\n\n');
}

function ratesOf({ host, requestsPerSecond, requestsPerDay, requestsAtOnce }: Quota): object {
  return {
    ...{ host, requests_per_second: requestsPerSecond, requests_per_day: requestsPerDay },
    ...(requestsAtOnce !== undefined && { requests_at_once: requestsAtOnce }),
  };
}

/** These limits apply to all ingestors together, because PostgreSQL counts their requests. */
function describeRates({ host, requestsPerSecond, requestsPerDay, requestsAtOnce }: Quota): string {
  const perDay = requestsPerDay.toLocaleString('en');
  const atOnce = requestsAtOnce === undefined ? '' : `, ${requestsAtOnce} at a time`;
  return `at most ${requestsPerSecond} requests a second and ${perDay} a day to ${host}${atOnce}, over all ingestors`;
}

function optionLines(option: string, names: Readonly<Record<string, string>>): { label: string; value: string }[] {
  return Object.entries(names).map(([name, sentence]) => ({ label: `${option} ${name}`, value: sentence }));
}
