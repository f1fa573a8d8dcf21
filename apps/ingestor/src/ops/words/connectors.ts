import type { Command } from 'commander';
import type { Connector } from '@passerelle/connectors';
import { GATE_SETTINGS } from '../options/gateway-settings';
import type { Session } from '../session';
import { renderBlock } from '../show/block';
import type { Look } from '../show/look';
import { addWord } from './word';

export function addConnectors(program: Command, session: Session): void {
  addWord(
    program,
    'connectors',
    'Lists the connectors of this version, with the credentials and settings that their gateways take.',
    'connectors --json',
  ).action(async () => {
    const connectors = await session.connectors();
    session.answer({
      json: connectors.map(({ code, label, type, notes, version, credentials, settings }) => ({
        id: code,
        ...{ label, type, notes, version, credentials, settings },
      })),
      text: (look) => renderConnectors(look, connectors),
    });
  });
}

function renderConnectors(look: Look, connectors: readonly Connector[]): string {
  const blocks = connectors.map(({ code, label, type, notes, credentials, settings }) =>
    renderBlock(look, `${code}  ${label}`, [
      { label: 'type', value: type },
      { label: 'notes', value: notes },
      ...options('--credential', credentials),
      ...options('--set', settings),
    ]),
  );
  return [...blocks, renderBlock(look, 'every gateway', options('--set', GATE_SETTINGS))].join('\n\n');
}

function options(option: string, names: Readonly<Record<string, string>>): { label: string; value: string }[] {
  return Object.entries(names).map(([name, sentence]) => ({ label: `${option} ${name}`, value: sentence }));
}
