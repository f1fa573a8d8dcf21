import { Inject, Injectable } from '@nestjs/common';
import {
  type ClaimedRun,
  isDatabaseAway,
  Leases,
  PublishRefused,
  RevertRefused,
  type RunEnding,
  RunNoteStore,
  Runs,
  Schedule,
  Snapshots,
} from '@passerelle/database';
import { FeedError, pauseAfterFailureMs, RetryLater, type RunFigures } from '@passerelle/domain';
import { MediaStoreError } from '@passerelle/media';
import { RunSteps, type Traces } from '@passerelle/traces';
import type { Logger } from 'pino';
import { LOGGER, RUNNER_OPTIONS, TRACES } from '../tokens';
import type { RunResult } from './run-outcome';
import { runFailure, WorkersLost } from './run-failure';
import { Ingest } from './ingest';
import { Remapping } from './remapping';
import { Reverting } from './reverting';
import { RunReading } from './run-reading';
import { RemapRefused } from './run-preparation';
import { RunStopped, RunWatch } from './run-watch';
import type { RunnerOptions } from './run-settings';
import { RunEnds } from './run-end';
import { RunLog } from './run-log';

/** A run that has crashed this many workers fails. */
const MAX_ATTEMPTS = 3;

/** Executes the runs of gateways: the lease, the failures and the schedule around `Ingest`. */
@Injectable()
export class GatewayRunner {
  constructor(
    private readonly leases: Leases,
    private readonly runs: Runs,
    private readonly runNotes: RunNoteStore,
    private readonly schedule: Schedule,
    private readonly snapshots: Snapshots,
    private readonly ingest: Ingest,
    private readonly reverting: Reverting,
    private readonly remapping: Remapping,
    private readonly watch: RunWatch,
    private readonly ends: RunEnds,
    @Inject(RUNNER_OPTIONS) private readonly options: RunnerOptions,
    @Inject(LOGGER) private readonly log: Logger,
    @Inject(TRACES) private readonly traces: Traces,
  ) {}

  /** Returns immediately when no run waits or another worker has the lease: the queue may deliver a job twice. */
  async run(gatewayId: number, shutdown: AbortSignal): Promise<void> {
    const fence = await this.leases.acquire(gatewayId, this.options.holder, this.options.leaseSeconds);
    if (fence === null) return;
    try {
      const run = await this.runs.claim(gatewayId, fence);
      if (run !== null) await this.carryOut(run, shutdown);
    } finally {
      await this.leases.release(gatewayId, fence);
    }
  }

  private async carryOut(run: ClaimedRun, shutdown: AbortSignal): Promise<void> {
    const log = new RunLog(this.log.child(namesOf(run)));
    const startedMs = Date.now();
    const steps = new RunSteps();
    const reading = new RunReading(this.runNotes, run);
    const watched = this.watch.start(run, reading, shutdown);
    let state: RunResult['state'] | undefined;
    try {
      if (run.attempt > 1) await this.runNotes.clearNotes(run.id);
      if (run.attempt > MAX_ATTEMPTS) throw new WorkersLost(MAX_ATTEMPTS);
      const { attempt, waitedMs } = run;
      log.debug({ ...(attempt > 1 && { attempt }), waitedMs: Math.round(waitedMs) }, 'run taken up');
      const result =
        run.trigger === 'revert'
          ? await this.reverting.carryOut(run, watched.signal)
          : run.trigger === 'remap'
            ? await this.remapping.carryOut(run, watched)
            : await this.ingest.carryOut(run, reading, { ...watched, log }, steps);
      log.noteSteps(steps);
      log.ended(Date.now() - startedMs, { ...result }, `run ${result.state}`);
      this.count(run, result, startedMs);
      this.trace(run, result.state, steps, startedMs);
      state = result.state;
    } catch (error) {
      const cause: unknown = watched.signal.aborted ? watched.signal.reason : error;
      log.noteSteps(steps);
      const ending = await this.endFailed(run, cause, reading.progress(), log);
      if (ending !== null) this.count(run, ending, startedMs);
      this.trace(run, ending?.state ?? 'handed-over', steps, startedMs);
      return;
    } finally {
      await watched.end();
      // Most runs find nothing new and should cost little. An earlier attempt may have stored lines to replace.
      if (state !== 'unchanged' || log.hasWarned || run.attempt > 1) await this.keepLines(run, log);
    }
    // The run has ended, even if one of the following steps fails.
    if (readsSource(run)) await this.schedule.noteSuccess(run.gatewayId, this.options.everySeconds, state);
    await this.snapshots.prune(run.gatewayId);
  }

  /** @returns how the run ended; null when it has not ended, or belongs to another worker. */
  private async endFailed(
    run: ClaimedRun,
    cause: unknown,
    figures: RunFigures,
    log: RunLog,
  ): Promise<RunEnding | null> {
    if (cause instanceof PublishRefused || (cause instanceof RunStopped && cause.why === 'lease-lost')) {
      log.warn({}, 'another worker has taken this gateway over: nothing was published');
      return null;
    }
    if (cause instanceof RunStopped && cause.why === 'shutdown') {
      await this.runs.handOver(run);
      log.info({}, 'run handed over: this process is stopping');
      return null;
    }
    if (isDatabaseAway(cause) && run.attempt < MAX_ATTEMPTS) {
      log.warn({}, 'the database became unavailable during this run: the run is started again', cause);
      return null;
    }
    const ending = runFailure(cause, figures, this.options);
    const isExplained =
      cause instanceof FeedError ||
      cause instanceof RevertRefused ||
      cause instanceof RemapRefused ||
      cause instanceof MediaStoreError;
    log.warn({ reason: ending.reason }, `run ${ending.state}`, isExplained ? undefined : cause);
    try {
      if (run.trigger === 'remap') await this.remapping.giveUp(run);
      await this.runs.end(run, ending);
    } catch (error) {
      if (error instanceof PublishRefused) return null;
      throw error;
    }
    if (readsSource(run) && ending.state === 'failed') await this.postpone(run, cause, ending.reasonCode ?? null);
    return ending;
  }

  /** A failure here loses nothing: the ingestor's log has the same lines. */
  private async keepLines(run: ClaimedRun, log: RunLog): Promise<void> {
    await this.runNotes.keepLines(run, log.kept, log.earlier).catch((error: unknown) => {
      this.log.warn({ err: error, run: run.id }, 'cannot store the log lines of a run');
    });
  }

  private async postpone({ gatewayId }: ClaimedRun, cause: unknown, reasonCode: string | null): Promise<void> {
    const failure = {
      todo: cause instanceof FeedError ? cause.todo : ('retry' as const),
      retryAfterMs: cause instanceof RetryLater ? cause.retryAfterMs : undefined,
    };
    const pauseMs = (failures: number, everySeconds: number | null): number =>
      pauseAfterFailureMs(failure, failures, (everySeconds ?? this.options.everySeconds) * 1000, Math.random());
    await this.schedule.noteFailure(gatewayId, pauseMs, reasonCode);
  }

  private trace(run: ClaimedRun, state: string, { list }: RunSteps, startMs: number): void {
    this.traces.record({
      ...{ name: 'run', kind: 'internal', startMs, endMs: Date.now(), requestId: run.requestId, steps: list },
      hasFailed: state === 'failed',
      attributes: {
        'passerelle.run': run.id,
        'passerelle.crm': run.crm,
        'passerelle.client': run.client,
        'passerelle.trigger': run.trigger,
        'passerelle.attempt': run.attempt,
        'passerelle.state': state,
        'passerelle.request_id': run.requestId,
      },
    });
  }

  private count(
    { crm: connector, dryRun, waitedMs }: ClaimedRun,
    { state, reasonCode, figures }: Pick<RunEnding, 'state' | 'figures'> & { reasonCode?: string | null },
    startedMs: number,
  ): void {
    const ms = Date.now() - startedMs;
    this.ends.countRun({ connector, state, reason: reasonCode ?? null, dryRun, ms, waitedMs, figures });
  }
}

/** Whether the gateway's schedule depends on the run. */
function readsSource({ dryRun, trigger }: ClaimedRun): boolean {
  return !dryRun && trigger !== 'revert' && trigger !== 'remap';
}

/** Fields of every log line about a run. The request id is the same as in the API's log. */
function namesOf({ id, gatewayId, crm, client, trigger, requestId, askedBy }: ClaimedRun): object {
  return {
    ...{ run: id, gateway: gatewayId, crm, client, trigger },
    ...(requestId !== null && { requestId }),
    ...(askedBy !== null && { askedBy }),
  };
}
