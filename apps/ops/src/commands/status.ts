import {
  brokenServices,
  countByState,
  type Finding,
  QUEUE_PATIENCE_SECONDS,
  queuedRunsOf,
  type StateCount,
  toGatewayRow,
  type PendingDecision,
  pendingDecisions,
  snoozedGateways,
} from '@passerelle/operations';
import { RELEASE } from '@passerelle/settings';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { diskSpaces } from '../disk-space';
import { counted, relative } from '../render/figures';
import { paint, type RenderOptions, type Tone } from '../render/render-options';
import { type Column, renderTable } from '../render/table';
import { surroundingsOf } from '../running-instance';
import { addCommand } from './command';

interface InstallationView {
  database: 'writable' | 'read-only';
  /** Programs and stores that do not work, or will soon stop working: the worst first. */
  broken: readonly Finding[];
  /** `stuck`: runs have waited too long, and no run is active. */
  runs: { waiting: number; running: number; waited_seconds: number; stuck: boolean };
  /** The number of all gateways. */
  all: number;
  /** One entry for each state, even when no gateway is in it. A gateway can be in several. */
  gateways: readonly StateCount[];
  /** Pending decisions by connector and cause; the most gateways first. */
  wants: readonly WantView[];
}

interface WantView {
  state: 'held' | 'failing';
  crm: string;
  gateways: number;
  oldest: string | null;
  /** The most frequent reason, and how many of the gateways have it. */
  reason: string;
  alike: number;
  /** The gateways of the connector that are not disabled. */
  all: number;
  /** The command to run next. */
  next: string;
}

export function addStatus(program: Command, context: CommandContext): void {
  addCommand(
    program,
    'status',
    'Shows the state of the installation on one screen: faults first, then pending decisions.',
    'status',
  ).action(async () => {
    const { announcements, audit, followUps, gatewaySummaries, server } = await context.openDatabase();
    const before = context.terminal.now();
    const serverFacts = await server.facts();
    const now = context.terminal.now();
    const terms = await context.freshnessTerms();
    const rows = (await gatewaySummaries.list()).map((gateway) => toGatewayRow(gateway, now, terms));
    const { waiting, running, waitedSeconds, isStuck } = queuedRunsOf(rows, now);

    const broken = brokenServices({
      ...{ release: RELEASE, server: serverFacts, rows, now, backups: await audit.backups() },
      asked: { at: new Date((before.getTime() + now.getTime()) / 2), tookMs: now.getTime() - before.getTime() },
      queue: await announcements.facts(QUEUE_PATIENCE_SECONDS),
      disks: await diskSpaces(surroundingsOf(context.env).folders),
    });
    const view: InstallationView = {
      ...{ database: serverFacts.isReadOnly ? 'read-only' : 'writable', broken },
      runs: { waiting, running, waited_seconds: Math.round(waitedSeconds), stuck: isStuck },
      all: rows.length,
      gateways: countByState(rows),
      wants: pendingDecisions(rows, snoozedGateways(await followUps.list(), now)).map(
        ({ state, crm, client, count, all, oldest, reason, alike, runId }) => ({
          ...{ state, crm, gateways: count, all, oldest, reason, alike },
          next: nextOf({ state, crm, client, runId }),
        }),
      ),
    };
    context.answer({ json: view, text: (options) => renderStatus(options, view) });
  });
}

function renderStatus(options: RenderOptions, { all, broken, runs, gateways, wants }: InstallationView): string {
  const states = gateways
    .filter(({ count }) => count > 0)
    .map(({ state, count, oldest }) =>
      state === 'fresh' || oldest === null
        ? `${count} ${state}`
        : `${count} ${state} (the oldest ${relative(oldest, options.now) ?? ''})`,
    );
  return [
    ...(broken.length === 0
      ? [headline(options, gateways)]
      : broken.map(({ check, state, says, next }) => paint(options, state, `${check}: ${says}. ${next ?? ''}`))),
    `${counted(all, 'gateway')}${states.length === 0 ? '' : `: ${states.join(', ')}`}`,
    `${counted(runs.waiting, 'run')} waiting, ${runs.running} under way`,
    '',
    renderTable(options, COLUMNS, wants, 'Nothing needs a decision.'),
  ].join('\n');
}

function nextOf({ state, crm, client, runId }: Pick<PendingDecision, 'state' | 'crm' | 'client' | 'runId'>): string {
  if (runId !== null) return `run show ${runId}`;
  return client === null
    ? `gateway list --state ${state} --crm ${crm}`
    : `gateway show --crm ${crm} --client ${client}`;
}

/** States that an operator should look at, and what they say about one gateway and about several. */
const TROUBLES: Partial<Record<StateCount['state'], { tone: Tone; one: string; many: string }>> = {
  failing: { tone: 'bad', one: 'fails', many: 'fail' },
  held: { tone: 'warn', one: 'waits for a decision', many: 'wait for a decision' },
  never: { tone: 'warn', one: 'was never published', many: 'were never published' },
  stale: { tone: 'warn', one: 'is stale', many: 'are stale' },
};

/** "Everything runs" would be false while a gateway fails, although all programs work. */
function headline(options: RenderOptions, gateways: readonly StateCount[]): string {
  const troubles = gateways.flatMap(({ state, count }) => {
    const words = TROUBLES[state];
    return words === undefined || count === 0 ? [] : [{ ...words, count }];
  });
  const [worst] = troubles;
  if (worst === undefined) return paint(options, 'good', 'Everything runs.');
  const parts = troubles.map(({ count, one, many }, index) => {
    const subject = index === 0 ? counted(count, 'gateway') : String(count);
    return `${subject} ${count === 1 ? one : many}`;
  });
  return paint(options, worst.tone, `${parts.join(', ')}. The programs work.`);
}

const COLUMNS: readonly Column<WantView>[] = [
  { title: 'STATE', value: ({ state }) => state, tone: ({ state }) => (state === 'held' ? 'warn' : 'bad') },
  { title: 'CRM', value: ({ crm }) => crm },
  { title: 'GATEWAYS', value: ({ gateways, all }) => `${gateways} of ${all}`, align: 'right' },
  { title: 'SINCE', value: ({ oldest }) => oldest?.slice(0, 16).replace('T', ' ') ?? null },
  { title: 'NEXT', value: ({ next }) => next },
  {
    title: 'WHY',
    value: ({ reason, alike, gateways }) => (alike === gateways ? reason : `${reason} (${alike} of ${gateways})`),
  },
];
