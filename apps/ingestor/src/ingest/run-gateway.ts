import { setTimeout as sleep } from 'node:timers/promises';
import { type ClaimedRun, type Database, PublishRefused, RunCancelled, type RunEnding } from '@passerelle/database';
import { FeedError, noFigures, pauseAfterFailureMs, RetryLater, type RunFigures } from '@passerelle/domain';
import type { Logger } from 'pino';
import { GatewayInactive, ingest, type IngestDependencies } from './ingest';

export interface RunnerOptions {
  /** Shown as the lease's holder. */
  holder: string;
  leaseSeconds: number;
  /** Period of gateways that have none of their own. */
  everySeconds: number;
  /** A run that takes longer is given up. */
  runTimeoutMs: number;
}

/** A run that this process has brought to its end. */
export interface RunEnd {
  connector: string;
  state: RunEnding['state'];
  /** One word; null when there is nothing to explain. */
  reason: string | null;
  /** It would have ended so, and has changed nothing. */
  dryRun: boolean;
  ms: number;
  /** How long it could have started before a worker took it up. */
  waitedMs: number;
  figures: RunFigures;
}

export type RunnerDependencies = Omit<IngestDependencies, 'signal' | 'onReading'> & {
  log: Logger;
  onRunEnd?(end: RunEnd): void;
};

/** Why a run under way was told to stop. */
class Stop extends Error {
  constructor(readonly why: 'cancelled' | 'lease-lost' | 'deadline' | 'shutdown') {
    super(why);
  }
}

/**
 * Carries out the waiting run of one gateway under a lease. Returns at once when nothing waits, or another worker has
 * the lease: the queue delivers at least once, and only the lease says who works.
 */
export async function runGateway(
  gatewayId: number,
  dependencies: RunnerDependencies,
  options: RunnerOptions,
  shutdown: AbortSignal,
): Promise<void> {
  const { database } = dependencies;
  const fence = await database.leases.acquire(gatewayId, options.holder, options.leaseSeconds);
  if (fence === null) return;
  try {
    const run = await database.runs.claim(gatewayId, fence);
    if (run !== null) await carryOut(run, dependencies, options, shutdown);
  } finally {
    await database.leases.release(gatewayId, fence);
  }
}

/** A run that has stopped so many workers in its middle is given up. */
const MAX_ATTEMPTS = 3;

async function carryOut(
  run: ClaimedRun,
  dependencies: RunnerDependencies,
  options: RunnerOptions,
  shutdown: AbortSignal,
): Promise<void> {
  const { database } = dependencies;
  const log = dependencies.log.child({ run: run.id, gateway: run.gatewayId, trigger: run.trigger });
  const stop = new AbortController();
  const watch = new AbortController();
  let progress = noFigures;
  const watching = watchRun(run, dependencies.database, options, {
    ...{ stop, shutdown, done: watch.signal },
    progress: () => progress(),
  });
  const startedMs = Date.now();
  const tellEnd = ({ state, reasonCode, figures }: Ended): void => {
    const { crm: connector, dryRun, waitedMs } = run;
    const ms = Date.now() - startedMs;
    dependencies.onRunEnd?.({ connector, state, reason: reasonCode ?? null, dryRun, ms, waitedMs, figures });
  };
  try {
    if (run.attempt > 1) await database.runs.clearNotes(run.id);
    if (run.attempt > MAX_ATTEMPTS) throw new Error(`${MAX_ATTEMPTS} workers stopped in the middle of this run`);
    const result = await ingest(run, {
      ...dependencies,
      signal: stop.signal,
      onReading: (figures) => {
        progress = figures;
      },
    });
    log.info({ ms: Date.now() - startedMs, ...result }, `run ${result.state}`);
    tellEnd(result);
  } catch (error) {
    const cause: unknown = stop.signal.aborted ? stop.signal.reason : error;
    const ending = await endFailed(run, cause, progress(), dependencies, options, log);
    if (ending !== null) tellEnd(ending);
    return;
  } finally {
    watch.abort();
    await watching;
  }
  // The run is over, whatever becomes of this.
  if (!run.dryRun) await database.schedule.noteSuccess(run.gatewayId, options.everySeconds);
  await database.pruneSnapshots(run.gatewayId);
}

type Ended = Pick<RunEnding, 'state' | 'figures'> & { reasonCode?: string | null };

interface Watch {
  stop: AbortController;
  shutdown: AbortSignal;
  progress: () => RunFigures;
  done: AbortSignal;
}

/** Renews the lease, looks for a cancel request and keeps the deadline while a run is under way. */
async function watchRun(run: ClaimedRun, database: Database, options: RunnerOptions, watch: Watch): Promise<void> {
  const { stop, shutdown, progress, done } = watch;
  const onShutdown = (): void => {
    stop.abort(new Stop('shutdown'));
  };
  shutdown.addEventListener('abort', onShutdown, { once: true });
  if (shutdown.aborted) onShutdown();
  const startedMs = performance.now();
  let renewedMs = startedMs;
  try {
    // Functions, for the compiler believes that a property does not change across an await.
    const isDone = (): boolean => done.aborted;
    while (!isDone() && !stop.signal.aborted) {
      await sleep((options.leaseSeconds * 1000) / 5, undefined, { signal: done }).catch(() => undefined);
      if (isDone()) return;
      if (performance.now() - startedMs > options.runTimeoutMs) stop.abort(new Stop('deadline'));
      try {
        if (!(await database.leases.renew(run.gatewayId, run.fence, options.leaseSeconds))) {
          stop.abort(new Stop('lease-lost'));
        }
        renewedMs = performance.now();
        if (await database.runs.isCancelRequested(run.id)) stop.abort(new Stop('cancelled'));
        await database.runs.noteProgress(run, progress());
      } catch {
        // The database is away: the lease may be somebody else's by the time it is back.
        if (performance.now() - renewedMs > options.leaseSeconds * 1000) stop.abort(new Stop('lease-lost'));
      }
    }
  } finally {
    shutdown.removeEventListener('abort', onShutdown);
  }
}

/** @returns how the run ended; null when it is not over, or no longer ours. */
async function endFailed(
  run: ClaimedRun,
  cause: unknown,
  figures: RunFigures,
  { database }: RunnerDependencies,
  options: RunnerOptions,
  log: Logger,
): Promise<RunEnding | null> {
  if (cause instanceof PublishRefused || (cause instanceof Stop && cause.why === 'lease-lost')) {
    log.warn('another worker has taken this gateway over: nothing was published');
    return null;
  }
  if (cause instanceof Stop && cause.why === 'shutdown') {
    await database.runs.handOver(run);
    log.info('run handed over: this process is stopping');
    return null;
  }
  const ending = endingOf(cause, figures, options);
  log.warn({ reason: ending.reason, err: cause instanceof FeedError ? undefined : cause }, `run ${ending.state}`);
  try {
    await database.runs.end(run, ending);
  } catch (error) {
    if (error instanceof PublishRefused) return null;
    throw error;
  }
  if (run.dryRun || ending.state !== 'failed') return ending;
  const failure = { todo: cause instanceof FeedError ? cause.todo : ('retry' as const), ...retryAfter(cause) };
  await database.schedule.noteFailure(run.gatewayId, (failures, everySeconds) =>
    pauseAfterFailureMs(failure, failures, (everySeconds ?? options.everySeconds) * 1000, Math.random()),
  );
  return ending;
}

function retryAfter(cause: unknown): { retryAfterMs?: number | undefined } {
  return cause instanceof RetryLater ? { retryAfterMs: cause.retryAfterMs } : {};
}

function endingOf(cause: unknown, figures: RunFigures, options: RunnerOptions): RunEnding {
  if (cause instanceof RunCancelled || (cause instanceof Stop && cause.why === 'cancelled')) {
    return { state: 'cancelled', reasonCode: 'cancelled', reason: 'cancelled by an operator', figures };
  }
  if (cause instanceof Stop) {
    const reason = `the run took longer than ${Math.round(options.runTimeoutMs / 60_000)} minutes`;
    return { state: 'failed', reasonCode: 'deadline', reason, figures };
  }
  if (cause instanceof GatewayInactive) {
    return { state: 'cancelled', reasonCode: 'inactive', reason: cause.message, figures };
  }
  if (cause instanceof FeedError) {
    return { state: 'failed', reasonCode: cause.todo, reason: cause.message, figures };
  }
  // Internals may hold anything: the log has them, the run says that it was us.
  return { state: 'failed', reasonCode: 'internal', reason: 'an internal error: see the log of the ingestor', figures };
}
