import type { GatewayRow } from './gateway-rows';

export interface PendingDecision {
  state: 'held' | 'failing';
  crm: string;
  /** The most frequent reason. Reasons that differ only in numbers count as one. */
  reason: string;
  /** How many of the gateways have this reason. */
  alike: number;
  count: number;
  /** ISO 8601. */
  oldest: string | null;
  /** The run to decide about, if the decision concerns only one gateway. */
  runId: number | null;
}

/** Failing gateways first, then held ones; of each, most gateways first, then longest waiting time. */
const STATES = ['failing', 'held'] as const;

/** Groups by connector and cause, the most severe first. */
export function pendingDecisions(rows: readonly GatewayRow[]): PendingDecision[] {
  const groups = new Map<string, PendingDecision & { reasons: Map<string, Reason> }>();
  for (const row of rows) {
    const { state, crm, since } = row;
    if (state !== 'held' && state !== 'failing') continue;
    const reason = (state === 'held' ? row.heldReason : row.failingReason) ?? '';
    const cause = state === 'failing' ? (row.failingCode ?? reason) : likenessOf(reason);
    const key = `${state} ${crm} ${cause}`;
    const group = groups.get(key);
    if (group === undefined) {
      const reasons = new Map([[likenessOf(reason), { reason, count: 1 }]]);
      groups.set(key, { state, crm, reason, alike: 1, count: 1, oldest: since, runId: row.heldRunId, reasons });
      continue;
    }
    const known = group.reasons.get(likenessOf(reason)) ?? { reason, count: 0 };
    known.count += 1;
    group.reasons.set(likenessOf(reason), known);
    group.count += 1;
    group.runId = null;
    if (since !== null && (group.oldest === null || since < group.oldest)) group.oldest = since;
  }
  return [...groups.values()]
    .map(({ reasons, ...group }) => {
      const [most] = [...reasons.values()].sort((one, other) => other.count - one.count);
      return most === undefined ? group : { ...group, reason: most.reason, alike: most.count };
    })
    .sort(
      (one, other) =>
        STATES.indexOf(one.state) - STATES.indexOf(other.state) ||
        other.count - one.count ||
        (one.oldest ?? '').localeCompare(other.oldest ?? ''),
    );
}

interface Reason {
  reason: string;
  count: number;
}

/** Equal for reasons that differ only in numbers. */
function likenessOf(reason: string): string {
  return reason.replace(/[\d.,\s\u00a0]+/g, '#');
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
