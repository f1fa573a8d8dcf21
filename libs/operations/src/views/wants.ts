import type { GatewayRow } from './gateway-rows';

/** Gateways of one connector that want the same decision. */
export interface Want {
  state: 'held' | 'failing';
  crm: string;
  /** Of the one that has waited longest. */
  reason: string;
  count: number;
  /** ISO 8601. */
  oldest: string | null;
  /** The run to decide about, where it is one. */
  runId: number | null;
}

/** So many lines: the list of gateways has the rest. */
const MOST = 20;

/** What wants a decision, by connector and cause: first those of most gateways, then those that have waited longest. */
export function wantsOf(rows: readonly GatewayRow[]): Want[] {
  const groups = new Map<string, Want>();
  for (const row of rows) {
    const { state, crm, since } = row;
    if (state !== 'held' && state !== 'failing') continue;
    const reason = (state === 'held' ? row.heldReason : row.failingReason) ?? '';
    // A sentence names counts and addresses; what stays of it without them is the cause.
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

/** Runs that were asked for and are not over. */
export interface QueuedRuns {
  waiting: number;
  running: number;
  /** How long the one that waits longest has waited; 0 where none waits. */
  waitedSeconds: number;
  /** Runs wait, and none is under way: nobody takes them. */
  isStuck: boolean;
}

/** A run that waits so long while none is under way waits for an ingestor. */
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
