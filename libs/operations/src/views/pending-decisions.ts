import type { GatewayRow } from './gateway-rows';

/** Gateways of one connector that need the same decision. */
export interface PendingDecision {
  state: 'held' | 'failing';
  crm: string;
  /** Since when the one that has waited longest waits. */
  reason: string;
  count: number;
  /** ISO 8601. */
  oldest: string | null;
  /** The run to decide about, when it concerns one run. */
  runId: number | null;
}

/** The number of lines shown; the list of gateways has the rest. */
const MOST = 20;

/** Pending decisions, by connector and cause: those of most gateways first, then those that have waited longest. */
export function pendingDecisions(rows: readonly GatewayRow[]): PendingDecision[] {
  const groups = new Map<string, PendingDecision>();
  for (const row of rows) {
    const { state, crm, since } = row;
    if (state !== 'held' && state !== 'failing') continue;
    const reason = (state === 'held' ? row.heldReason : row.failingReason) ?? '';
    // Sentences contain counts and addresses; without them the cause is left.
    const cause = state === 'failing' ? (row.failingCode ?? reason) : reason.replace(/[\d.,\s\u00a0]+/g, '#');
    const key = `${state} ${crm} ${cause}`;
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, { state, crm, reason, count: 1, oldest: since, runId: row.heldRunId });
      continue;
    }
    group.count += 1;
    group.runId = null;
    if (since !== null && (group.oldest === null || since < group.oldest))
      Object.assign(group, { oldest: since, reason });
  }
  return [...groups.values()]
    .sort((one, other) => other.count - one.count || (one.oldest ?? '').localeCompare(other.oldest ?? ''))
    .slice(0, MOST);
}

/** Requested runs that are not over. */
export interface QueuedRuns {
  waiting: number;
  running: number;
  /** How long the oldest waiting run has waited; 0 when none waits. */
  waitedSeconds: number;
  /** Runs wait and none is under way: no ingestor takes them. */
  isStuck: boolean;
}

/** A run that waits longer than this while none is under way lacks an ingestor. */
const LONGEST_WAIT_SECONDS = 120;

export function queuedRunsOf(rows: readonly GatewayRow[], now: Date): QueuedRuns {
  const since = rows.flatMap(({ active, waitingSince }) => (active && waitingSince !== null ? [waitingSince] : []));
  const running = rows.filter(({ isRunning }) => isRunning).length;
  const waitedSeconds = since.reduce((most, time) => Math.max(most, (now.getTime() - Date.parse(time)) / 1000), 0);
  return {
    waiting: since.length,
    running,
    waitedSeconds,
    isStuck: running === 0 && waitedSeconds > LONGEST_WAIT_SECONDS,
  };
}
