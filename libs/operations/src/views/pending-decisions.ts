import type { GatewayRow } from './gateway-rows';

export interface PendingDecision {
  state: 'held' | 'failing';
  crm: string;
  /** The most frequent reason. Reasons that differ only in numbers and addresses are one cause. */
  reason: string;
  /** How many of the gateways have exactly this reason. */
  alike: number;
  count: number;
  /** The gateways of the connector that are not disabled. */
  all: number;
  /** Null for several gateways. */
  client: string | null;
  /** ISO 8601. */
  oldest: string | null;
  /** The run to decide about, if the decision concerns only one gateway. */
  runId: number | null;
}

/** Failing gateways first, then held ones; of each, most gateways first, then longest waiting time. */
const STATES = ['failing', 'held'] as const;

/** Groups by connector and cause, the most severe first. A paused or snoozed gateway needs no decision. */
export function pendingDecisions(
  rows: readonly GatewayRow[],
  snoozed: ReadonlySet<number> = new Set(),
): PendingDecision[] {
  const groups = new Map<string, PendingDecision & { reasons: Map<string, number> }>();
  const all = new Map<string, number>();
  for (const { active, crm } of rows) if (active) all.set(crm, (all.get(crm) ?? 0) + 1);
  for (const row of rows) {
    const { state, crm, client, since } = row;
    if ((state !== 'held' && state !== 'failing') || row.paused !== null || snoozed.has(row.id)) continue;
    const reason = (state === 'held' ? row.heldReason : row.failingReason) ?? '';
    const code = state === 'failing' ? (row.failingCode ?? '') : '';
    const key = `${state} ${crm} ${code} ${likenessOf(reason)}`;
    const group = groups.get(key);
    if (group === undefined) {
      const terms = { state, crm, reason, alike: 1, count: 1, all: all.get(crm) ?? 1, client, oldest: since };
      groups.set(key, { ...terms, runId: state === 'held' ? row.heldRunId : null, reasons: new Map([[reason, 1]]) });
      continue;
    }
    group.reasons.set(reason, (group.reasons.get(reason) ?? 0) + 1);
    group.count += 1;
    group.client = null;
    group.runId = null;
    if (since !== null && (group.oldest === null || since < group.oldest)) group.oldest = since;
  }
  return [...groups.values()]
    .map(({ reasons, ...group }) => {
      const [reason, alike] = [...reasons].sort(([, one], [, other]) => other - one)[0]!;
      return { ...group, reason, alike };
    })
    .sort(
      (one, other) =>
        STATES.indexOf(one.state) - STATES.indexOf(other.state) ||
        other.count - one.count ||
        (one.oldest ?? '').localeCompare(other.oldest ?? ''),
    );
}

/** Equal for reasons that differ only in numbers, addresses and hosts. */
function likenessOf(reason: string): string {
  return reason
    .split(/\s/)
    .map((word) => (/[\d./:@]/.test(word) ? '#' : word))
    .join(' ');
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
