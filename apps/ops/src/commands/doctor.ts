import type { ReplicaFacts } from '@passerelle/database';
import {
  diagnose,
  type Finding,
  type InstallationFacts,
  QUEUE_PATIENCE_SECONDS,
  toGatewayRow,
} from '@passerelle/operations';
import { RELEASE } from '@passerelle/settings';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { diskSpaces } from '../disk-space';
import { sentenceOf } from '../errors';
import { counted } from '../render/figures';
import { paint, type RenderOptions } from '../render/render-options';
import { type Column, renderTable } from '../render/table';
import { badSettingsOf, surroundingsOf } from '../running-instance';
import { addCommand } from './command';

export function addDoctor(program: Command, context: CommandContext): void {
  addCommand(
    program,
    'doctor',
    'Checks release, schema, compose file, settings, secrets, roles, clocks, replica, disks, queue and sources. ' +
      'Says how to fix what it finds, and exits with 1 when something is broken. "status" shows the state of the gateways.',
    'doctor',
  ).action(async () => {
    const { databaseReadUrl, composeRelease, folders } = surroundingsOf(context.env);
    const database = await context.openDatabase();
    const before = context.terminal.now();
    const server = await database.server.facts();
    const tookMs = context.terminal.now().getTime() - before.getTime();
    // The other checks need the tables of a migrated database.
    const isMigrated = server.missing.length === 0;
    const findings = diagnose({
      ...{ release: RELEASE, composeRelease, server, badSettings: badSettingsOf(context.env) },
      asked: { at: new Date(before.getTime() + tookMs / 2), tookMs },
      replica: databaseReadUrl === null ? null : await replicaOf(databaseReadUrl, database.server),
      disks: await diskSpaces(folders),
      queue: isMigrated ? await database.announcements.facts(QUEUE_PATIENCE_SECONDS) : null,
      unfit: isMigrated ? await unfitSecrets(context) : { fault: null, keys: 0, sources: [] },
      rows: isMigrated ? await rowsOf(context) : [],
      now: context.terminal.now(),
    });
    const broken = findings.filter(({ state }) => state === 'bad').map(({ check }) => check);
    const failure = broken.length === 0 ? undefined : `broken: ${broken.join(', ')}`;
    context.answer({
      json: { release: RELEASE, findings, ...(failure !== undefined && { error: failure }) },
      text: (options) => renderFindings(options, findings),
      failure,
    });
  });
}

async function replicaOf(
  url: string,
  server: { replica(url: string): Promise<ReplicaFacts> },
): Promise<ReplicaFacts | string> {
  return server.replica(url).catch((error: unknown) => sentenceOf(error));
}

async function unfitSecrets(context: CommandContext): Promise<InstallationFacts['unfit']> {
  const { storedKeys, gateways } = await context.openDatabase();
  const hashes = await context.uncheckedKeyHashes();
  const others = (await storedKeys.countBySecret()).filter(({ keyId }) => !hashes.knows(keyId));
  const unread = await gateways.listUnreadable(await context.uncheckedSecretBox());
  return {
    fault: (await (await context.secretsKeyCheck())?.fault()) ?? null,
    keys: others.reduce((sum, { count }) => sum + count, 0),
    sources: unread.map(({ crm, client }) => `${crm}/${client}`),
  };
}

async function rowsOf(context: CommandContext) {
  const { gatewaySummaries } = await context.openDatabase();
  const [now, terms] = [context.terminal.now(), await context.freshnessTerms()];
  return (await gatewaySummaries.list()).map((gateway) => toGatewayRow(gateway, now, terms));
}

const COLUMNS: readonly Column<Finding>[] = [
  { title: '', value: ({ state }) => ({ good: 'ok', warn: 'look', bad: 'BROKEN' })[state], tone: ({ state }) => state },
  { title: 'WHAT', value: ({ check }) => check },
  { title: 'HOW IT IS', value: ({ says }) => says },
];

function renderFindings(options: RenderOptions, findings: readonly Finding[]): string {
  const wanting = findings.filter(({ next }) => next !== null);
  const todo = wanting.map(({ check, next }) => `  ${check}: ${next ?? ''}`);
  return [
    renderTable(options, COLUMNS, findings, ''),
    '',
    ...(wanting.length === 0
      ? [paint(options, 'good', 'All is well.')]
      : [`${counted(wanting.length, 'thing')} to do:`, ...todo]),
  ].join('\n');
}
