import type { Command } from 'commander';
import type { Database, GatewayDetails } from '@passerelle/database';
import { inactiveReason, isGatewayActive, type RunView } from '@passerelle/domain';
import { Refused, WrongUse } from '../failures';
import { parseDuration } from '../options/duration';
import type { Outcome } from '../outcome';
import { ProgressLine } from '../progress-line';
import type { Session } from '../session';
import { loadShownRun, type ShownRun } from '../run-view';
import { renderRun, renderRuns } from '../show/runs';
import { renderShownRun } from '../show/shown-run';
import { waitForRuns } from '../wait-for-runs';
import { addWord } from './word';

interface IngestOptions {
  crm?: string;
  client?: string;
  all?: true;
  wait?: true;
  dryRun?: true;
  force?: true;
  timeout?: string;
}

export function addIngest(program: Command, session: Session): void {
  addWord(
    program,
    'ingest',
    'Asks for a run of a gateway now, or of all that are active.',
    'ingest --crm kyero --client agence-du-port --wait',
  )
    .option('--crm <code>', 'the connector')
    .option('--client <slug>', 'the client')
    .option('--all', 'every active gateway instead of one')
    .option('--wait', 'waits until the run is over; Ctrl-C stops the waiting, not the run')
    .option('--timeout <duration>', 'waits no longer than this: 90s, 10m')
    .option('--dry-run', 'waits, shows what the run would change, and publishes nothing')
    .option('--force', 'publishes what the publish gate would hold; recorded with the run')
    .action(async (options: IngestOptions) => {
      session.answer(await ingest(session, options));
    });
}

async function ingest(session: Session, options: IngestOptions): Promise<Outcome> {
  const isWaiting = options.wait ?? options.dryRun ?? false;
  if (options.timeout !== undefined && !isWaiting) throw new WrongUse('--timeout goes with --wait');
  const timeoutMs = options.timeout === undefined ? Infinity : parseDuration('--timeout', options.timeout) * 1000;
  const gateways = await chooseGateways(session, options);
  const database = await session.openDatabase();
  const runIds: number[] = [];
  for (const { id } of gateways) {
    const wishes = {
      dryRun: options.dryRun ?? false,
      ...(options.force && { forced: true, forcedBy: session.io.user }),
    };
    runIds.push(await database.runs.request({ gatewayId: id, trigger: 'ops', ...wishes }));
  }
  const { runs, failure } = isWaiting
    ? await waitUntilOver(session, database, runIds, timeoutMs)
    : { runs: await findRuns(database, runIds), failure: undefined };
  if (options.all) return outcomeOfAll(runs, failure);
  return options.dryRun
    ? outcomeOfDryRun(await loadShownRun(database, runs[0]!), failure)
    : outcomeOfOne(runs[0]!, failure);
}

async function chooseGateways(session: Session, { crm, client, all }: IngestOptions): Promise<GatewayDetails[]> {
  const now = session.io.now();
  if (all) {
    if (crm !== undefined || client !== undefined) throw new WrongUse('--all goes without --crm and --client');
    const { gateways } = await session.openDatabase();
    return (await gateways.list()).filter((gateway) => isGatewayActive(gateway, now));
  }
  if (crm === undefined || client === undefined) {
    throw new WrongUse(`${crm === undefined ? '--crm' : '--client'} is missing: give --crm and --client, or --all`);
  }
  const gateway = await session.gateway(crm, client);
  const inactive = inactiveReason(gateway, now);
  if (inactive === null) return [gateway];
  throw new Refused(`the gateway ${crm}/${client} does not run: ${inactive}`);
}

async function findRuns(database: Database, runIds: readonly number[]): Promise<RunView[]> {
  const runs: RunView[] = [];
  for (const id of runIds) {
    const run = await database.runs.find(id);
    if (run !== null) runs.push(run);
  }
  return runs;
}

async function waitUntilOver(
  session: Session,
  database: Database,
  runIds: readonly number[],
  timeoutMs: number,
): Promise<{ runs: RunView[]; failure: string | undefined }> {
  const { io } = session;
  const progress = new ProgressLine(io);
  const waited = await waitForRuns(database, runIds, {
    timeoutMs,
    interrupted: io.catchInterrupt(),
    onLook: (runs) => {
      progress.show(runs);
    },
    onIdle: () => {
      progress.clear();
      io.err('no ingestor has taken the run up for 30 s: is one running?\n');
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
    const why = gaveUp === 'timeout' ? 'the time to wait is over' : 'no longer waiting';
    return runs.length === 1 ? `${why}: run ${first.id} goes on` : `${why}: the runs go on`;
  }
  if (runs.length > 1) return `${bad.length} of ${runs.length} runs came to nothing`;
  return `run ${first.id} ${first.state}${first.reason === null ? '' : `: ${first.reason}`}`;
}

function outcomeOfOne(run: RunView, failure: string | undefined): Outcome {
  return {
    json: failure === undefined ? run : { ...run, error: failure },
    text: (look) => renderRun(look, run),
    failure,
  };
}

function outcomeOfDryRun(run: ShownRun, failure: string | undefined): Outcome {
  return {
    json: failure === undefined ? run : { ...run, error: failure },
    text: (look) => renderShownRun(look, run),
    failure,
  };
}

function outcomeOfAll(runs: readonly RunView[], failure: string | undefined): Outcome {
  return { json: runs, text: (look) => renderRuns(look, runs), failure };
}
