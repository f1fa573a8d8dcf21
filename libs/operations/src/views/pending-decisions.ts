import type { GatewayRow } from './gateway-rows';

export interface PendingDecision {
  state: 'held' | 'failing';
  crm: string;
  /** The reason of the gateway that has waited longest. */
  reason: string;
  count: number;
  /** ISO 8601. */
  oldest: string | null;
  /** The run to decide about, if the decision concerns only one gateway. */
  runId: number | null;
}

/** The maximum number of lines; the list of gateways shows the rest. */
const MOST = 20;

/** Groups by connector and cause. The order is: most gateways first, then longest waiting time. */
export function pendingDecisions(rows: readonly GatewayRow[]): PendingDecision[] {
  const groups = new Map<string, PendingDecision>();
  for (const row of rows) {
    const { state, crm, since } = row;
    if (state !== 'held' && state !== 'failing') continue;
    const reason = (state === 'held' ? row.heldReason : row.failingReason) ?? '';
    // Removes digits, because reasons contain counts and equal causes must have equal texts.
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

export interface QueuedRuns {
  waiting: number;
  running: number;
  /** The waiting time of the oldest waiting run; 0 when no run waits. */
  waitedSeconds: number;
  /** True when runs wait but no ingestor works on a run. */
  isStuck: boolean;
}

/** If a run waits longer than this while none is in progress, no ingestor is available. */
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
