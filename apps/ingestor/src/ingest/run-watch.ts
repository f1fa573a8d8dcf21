import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { type ClaimedRun, Leases, Runs } from '@passerelle/database';
import { inTime } from '@passerelle/limits';
import { RUNNER_OPTIONS } from '../tokens';
import type { RunReading } from './run-reading';
import type { RunnerOptions } from './run-settings';

export class RunStopped extends Error {
  constructor(readonly why: 'cancelled' | 'lease-lost' | 'deadline' | 'shutdown') {
    super(why);
  }
}

/** A timer may fire a little early. */
const TIMER_MS = 2;

type Progressing = Pick<RunReading, 'progress'>;

export interface WatchedRun {
  /** Aborted with RunStopped when the run must stop. */
  signal: AbortSignal;
  /** Called at shutdown if the run has no work to lose, so that another worker takes it over. */
  handOver(): void;
  /** Ends the watch, and waits for its last query. */
  end(): Promise<void>;
}

@Injectable()
export class RunWatch {
  constructor(
    @Inject(Leases) private readonly leases: Pick<Leases, 'renew'>,
    @Inject(Runs) private readonly runs: Pick<Runs, 'isCancelRequested' | 'noteProgress'>,
    @Inject(RUNNER_OPTIONS) private readonly options: Pick<RunnerOptions, 'leaseSeconds' | 'runTimeoutMs'>,
  ) {}

  start(run: ClaimedRun, reading: Progressing, shutdown: AbortSignal): WatchedRun {
    const stop = new AbortController();
    const done = new AbortController();
    const watching = this.watch(run, reading, stop, shutdown, done.signal);
    return {
      signal: stop.signal,
      handOver() {
        stop.abort(new RunStopped('shutdown'));
      },
      async end() {
        done.abort();
        await watching;
      },
    };
  }

  private async watch(
    run: ClaimedRun,
    reading: Progressing,
    stop: AbortController,
    shutdown: AbortSignal,
    done: AbortSignal,
  ): Promise<void> {
    const { leaseSeconds, runTimeoutMs } = this.options;
    const leaseMs = leaseSeconds * 1000;
    const onShutdown = (): void => {
      stop.abort(new RunStopped('shutdown'));
    };
    shutdown.addEventListener('abort', onShutdown);
    if (shutdown.aborted) onShutdown();
    const startedMs = performance.now();
    let renewedMs = startedMs;
    let noted = { fetchedBytes: 0, records: 0 };
    try {
      // A function, because the compiler assumes that a property does not change across an await.
      const isDone = (): boolean => done.aborted;
      const look = async (): Promise<void> => {
        const askedMs = performance.now();
        if (!(await this.leases.renew(run.gatewayId, run.fence, leaseSeconds))) {
          stop.abort(new RunStopped('lease-lost'));
        }
        renewedMs = Math.max(renewedMs, askedMs);
        if (isDone()) return;
        if (await this.runs.isCancelRequested(run.id)) stop.abort(new RunStopped('cancelled'));
        const progress = reading.progress();
        // Many runs wait for their source, and have no new progress to note.
        if (isDone() || (progress.fetchedBytes === noted.fetchedBytes && progress.records === noted.records)) return;
        await this.runs.noteProgress(run, progress);
        noted = progress;
      };
      while (!isDone() && !stop.signal.aborted) {
        await sleep(leaseMs / 5, undefined, { signal: done }).catch(() => undefined);
        if (isDone()) return;
        if (performance.now() - startedMs > runTimeoutMs) stop.abort(new RunStopped('deadline'));
        try {
          // Waits for a silent database only until the lease has expired.
          await inTime(look(), Math.max(leaseMs / 5, renewedMs + leaseMs - performance.now()) + TIMER_MS, unanswered);
        } catch {
          // The database is unavailable. When it is back, another worker may have the lease.
          if (performance.now() - renewedMs > leaseMs) stop.abort(new RunStopped('lease-lost'));
        }
      }
    } finally {
      shutdown.removeEventListener('abort', onShutdown);
    }
  }
}

function unanswered(): Error {
  return new Error('the database does not answer');
}
