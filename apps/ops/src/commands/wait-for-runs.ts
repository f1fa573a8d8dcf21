import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@passerelle/database';
import { isRunOver, type RunView } from '@passerelle/domain';
import { Refused } from '@passerelle/operations';

export interface WaitOptions {
  timeoutMs: number;
  interrupted: AbortSignal;
  /** Called with the runs after each poll. */
  onPoll(runs: readonly RunView[]): void;
  /** Called once when no run was started for `patienceMs`. */
  onIdle(): void;
  /** Default 30 s. */
  patienceMs?: number;
  /** Default: 250 ms; after the first ten seconds, 1 s. */
  pollMs?: number;
}

export interface Waited {
  runs: RunView[];
  /** Why the wait ended before the runs ended. */
  gaveUp: 'interrupted' | 'timeout' | null;
}

const PATIENCE_MS = 30_000;

/** Polls runs until all are over. Runs continue when the polling stops. */
export async function waitForRuns(
  { runHistory }: { runHistory: Pick<Database['runHistory'], 'find' | 'list'> },
  runIds: readonly number[],
  options: WaitOptions,
): Promise<Waited> {
  const startedMs = performance.now();
  const seen = new Map<number, RunView>();
  let lastMovedMs = startedMs;
  let isIdleKnown = false;
  for (;;) {
    for (const id of runIds) {
      const before = seen.get(id);
      if (before !== undefined && isRunOver(before.state)) continue;
      const run = await runHistory.find(id);
      if (run === null) throw new Refused(`run ${id} is gone: its gateway was removed`);
      if (before !== undefined && before.state !== run.state) lastMovedMs = performance.now();
      seen.set(id, run);
    }
    const runs = runIds.map((id) => seen.get(id)!);
    options.onPoll(runs);
    if (runs.every(({ state }) => isRunOver(state))) return { runs, gaveUp: null };
    if (options.interrupted.aborted) return { runs, gaveUp: 'interrupted' };
    const nowMs = performance.now();
    if (nowMs - startedMs >= options.timeoutMs) return { runs, gaveUp: 'timeout' };
    if (!isIdleKnown && nowMs - lastMovedMs >= (options.patienceMs ?? PATIENCE_MS)) {
      // Our run may wait for an earlier run of the same gateway.
      if (!runs.some(isRunning) && !(await runHistory.list({ limit: 200 })).some(isRunning)) {
        options.onIdle();
        isIdleKnown = true;
      }
    }
    const pollMs = options.pollMs ?? (nowMs - startedMs < 10_000 ? 250 : 1_000);
    const leftMs = options.timeoutMs - (nowMs - startedMs);
    await sleep(Math.min(pollMs, leftMs), undefined, { signal: options.interrupted }).catch(() => undefined);
  }
}

function isRunning({ state }: RunView): boolean {
  return state === 'running';
}
