import type { Database, GatewayDetails } from '@passerelle/database';
import type { RunView } from '@passerelle/domain';
import type { Command } from 'commander';
import type { CommandResult } from '../command-context';
import type { CommandContext } from '../command-context';
import { UsageError } from '../errors';

import { ProgressLine } from '../render/progress-line';
import { renderRun, renderRuns } from '../render/runs';
import { renderShownRun } from '../render/shown-run';
import { actorOfMany, requestRun, loadShownRun, parseDuration, type ShownRun, whyNoRun } from '@passerelle/operations';
import { addCommand } from './command';
import { waitForRuns } from './wait-for-runs';

interface IngestOptions {
  crm?: string;
  client?: string;
  all?: true;
  wait?: true;
  dryRun?: true;
  force?: true;
  timeout?: string;
}

export function addIngest(program: Command, context: CommandContext): void {
  addCommand(
    program,
    'ingest',
    'Requests a run of one gateway, or of all active gateways.',
    'ingest --crm kyero --client agence-du-port --wait',
  )
    .option('--crm <code>', 'the connector')
    .option('--client <slug>', 'the client')
    .option('--all', 'every active gateway that is not paused, instead of one')
    .option('--wait', 'waits until the run is over; Ctrl-C stops the waiting, not the run')
    .option('--timeout <duration>', 'the longest time to wait: 90s, 10m')
    .option('--dry-run', 'waits, shows the changes that the run would make, and publishes nothing')
    .option('--force', 'publishes even what the publish gate would hold; recorded with the run')
    .action(async (options: IngestOptions) => {
      context.answer(await ingest(context, options));
    });
}

async function ingest(context: CommandContext, options: IngestOptions): Promise<CommandResult> {
  const isWaiting = options.wait ?? options.dryRun ?? false;
  const timeoutMs = timeoutMsOf(options, isWaiting);
  const gateways = await chooseGateways(context, options);
  const database = await context.openDatabase();
  const runIds: number[] = [];
  const many = { act: 'ingest', gateways: gateways.length } as const;
  const actor = await actorOfMany(database, await context.actor(), many);
  const wishes = { act: 'ingest', dryRun: options.dryRun ?? false, forced: options.force ?? false } as const;
  for (const gateway of gateways) runIds.push(await requestRun(database, actor, gateway, wishes));
  const { runs, failure } = isWaiting
    ? await waitUntilOver(context, database, runIds, timeoutMs)
    : { runs: await findRuns(database, runIds), failure: undefined };
  if (options.all) return outcomeOfAll(runs, failure);
  return options.dryRun
    ? outcomeOfDryRun(await loadShownRun(database, runs[0]!), failure)
    : outcomeOfOne(runs[0]!, failure);
}

/** @param waitMs how long to wait for the end of the run; null: do not wait */
export async function answerOfRun(
  context: CommandContext,
  runId: number,
  waitMs: number | null,
): Promise<CommandResult> {
  const database = await context.openDatabase();
  if (waitMs === null) return outcomeOfOne((await findRuns(database, [runId]))[0]!, undefined);
  const { runs, failure } = await waitUntilOver(context, database, [runId], waitMs);
  return outcomeOfOne(runs[0]!, failure);
}

/** How long `--wait` waits. @throws UsageError */
export function timeoutMsOf({ timeout }: Pick<IngestOptions, 'timeout'>, isWaiting: boolean): number {
  if (timeout === undefined) return Infinity;
  if (!isWaiting) throw new UsageError('--timeout goes with --wait');
  return parseDuration('--timeout', timeout) * 1000;
}

async function chooseGateways(
  context: CommandContext,
  { crm, client, all, dryRun }: IngestOptions,
): Promise<GatewayDetails[]> {
  if (all) {
    const now = context.terminal.now();
    if (crm !== undefined || client !== undefined) throw new UsageError('--all excludes --crm and --client');
    const { gateways } = await context.openDatabase();
    return (await gateways.list()).filter((gateway) => whyNoRun(gateway, now, dryRun ?? false) === null);
  }
  if (crm === undefined || client === undefined) {
    throw new UsageError(`${crm === undefined ? '--crm' : '--client'} is missing: give --crm and --client, or --all`);
  }
  return [await context.gateway(crm, client)];
}

async function findRuns(database: Database, runIds: readonly number[]): Promise<RunView[]> {
  const runs: RunView[] = [];
  for (const id of runIds) {
    const run = await database.runHistory.find(id);
    if (run !== null) runs.push(run);
  }
  return runs;
}

async function waitUntilOver(
  context: CommandContext,
  database: Database,
  runIds: readonly number[],
  timeoutMs: number,
): Promise<{ runs: RunView[]; failure: string | undefined }> {
  const { terminal } = context;
  const progress = new ProgressLine(terminal);
  const waited = await waitForRuns(database, runIds, {
    timeoutMs,
    interrupted: terminal.catchInterrupt(),
    onPoll: (runs) => {
      progress.show(runs);
    },
    onIdle: () => {
      progress.clear();
      terminal.err('no ingestor has started the run for 30 s: is one running?\n');
    },
  });
  progress.clear();
  return { runs: waited.runs, failure: failureOf(waited.runs, waited.gaveUp) };
}

function failureOf(runs: readonly RunView[], gaveUp: 'interrupted' | 'timeout' | null): string | undefined {
  const bad = runs.filter(({ state }) => state !== 'published' && state !== 'unchanged');
  const [first] = bad;
  if (first === undefined) return undefined;
  if (gaveUp !== null) {
    const why = gaveUp === 'timeout' ? 'stopped waiting: the time of --timeout is over' : 'no longer waiting';
    return runs.length === 1 ? `${why}: run ${first.id} goes on` : `${why}: the runs go on`;
  }
  if (runs.length > 1) return `${bad.length} of ${runs.length} runs failed`;
  return `run ${first.id} ${first.state}${first.reason === null ? '' : `: ${first.reason}`}`;
}

function outcomeOfOne(run: RunView, failure: string | undefined): CommandResult {
  return {
    json: failure === undefined ? run : { ...run, error: failure },
    text: (renderOptions) => renderRun(renderOptions, run),
    failure,
  };
}

function outcomeOfDryRun(run: ShownRun, failure: string | undefined): CommandResult {
  return {
    json: failure === undefined ? run : { ...run, error: failure },
    text: (renderOptions) => renderShownRun(renderOptions, run),
    failure,
  };
}

function outcomeOfAll(runs: readonly RunView[], failure: string | undefined): CommandResult {
  return { json: runs, text: (renderOptions) => renderRuns(renderOptions, runs), failure };
}
