import type { Command } from 'commander';
import { GATEWAY_STATES } from '@passerelle/domain';
import type { NotifiedSource } from '@passerelle/database';
import type { CommandResult } from '../command-context';
import type { CommandContext } from '../command-context';
import { renderGateway, renderGateways } from '../render/gateways';
import { parseWord } from '../options/values';
import { assertSlug, isViewInState, type ShownGateway, toFeedMemoryView, toGatewayView } from '@passerelle/operations';
import { addGatewayCommand, addCommand, type GatewayName } from './command';

interface ListOptions {
  state?: string;
  crm?: string;
  client?: string;
}

export function addGatewayList(gateway: Command, context: CommandContext): void {
  addCommand(gateway, 'list', 'Lists all gateways, or those in one state.', 'gateway list --state held')
    .option('--state <state>', `only those that are ${GATEWAY_STATES.join(', ')}; "never": nothing published yet`)
    .option('--crm <code>', 'only those of one connector')
    .option('--client <text>', 'only those whose client contains this text')
    .action(async ({ state: stateText, crm, client }: ListOptions) => {
      const state = stateText === undefined ? null : parseWord('--state', stateText, GATEWAY_STATES);
      if (crm !== undefined) assertSlug('--crm', crm);
      if (client !== undefined) assertSlug('--client', client);
      const { gateways } = await context.openDatabase();
      const now = context.terminal.now();
      const terms = await context.freshnessTerms();
      const views = (await gateways.list())
        .filter((details) => crm === undefined || details.crm === crm)
        .filter((details) => client === undefined || details.client.includes(client))
        .map((details) => toGatewayView(details, now, terms))
        .filter((view) => state === null || isViewInState(view, state, now, terms));
      context.answer({ json: views, text: (renderOptions) => renderGateways(renderOptions, views) });
    });
}

export function addGatewayShow(gateway: Command, context: CommandContext): void {
  addGatewayCommand(
    gateway,
    'show',
    'Shows one gateway with its schedule, its keys and its last run.',
    'gateway show --crm kyero --client agence-du-port',
  ).action(async (options: GatewayName) => {
    context.answer(await showGateway(context, options));
  });
}

export async function showGateway(context: CommandContext, { crm, client }: GatewayName): Promise<CommandResult> {
  const details = await context.gateway(crm, client);
  const { runHistory, sourceFeedback, rememberedFeeds } = await context.openDatabase();
  const [lastRun] = await runHistory.list({ gatewayId: details.id, limit: 1 });
  const waiting = await sourceFeedback.waitingFor(details.id);
  const remembered = await rememberedFeeds.find(details.id);
  const shown: ShownGateway = {
    ...toGatewayView(details, context.terminal.now(), await context.freshnessTerms()),
    last_run: lastRun ?? null,
    feedback: waiting === null ? null : toFeedbackView(waiting),
    memory: remembered === null ? null : toFeedMemoryView(remembered, details),
  };
  return { json: shown, text: (renderOptions) => renderGateway(renderOptions, shown) };
}

function toFeedbackView({ nextTryAt, ...waiting }: NotifiedSource): ShownGateway['feedback'] {
  return { ...waiting, next_try_at: nextTryAt };
}
