export const RUN_STATES = [
  'queued',
  'running',
  'published',
  'unchanged',
  'held',
  'failed',
  'cancelled',
  'discarded',
] as const;
export type RunState = (typeof RUN_STATES)[number];

/** What asked for a run. `first-read` and `stale-read` come from the API. */
export const RUN_TRIGGERS = ['schedule', 'ops', 'http', 'first-read', 'stale-read', 'retry', 'dry-run'] as const;
export type RunTrigger = (typeof RUN_TRIGGERS)[number];

/** The states that a run can still leave by itself. */
export function isRunOver(state: RunState): boolean {
  return state !== 'queued' && state !== 'running';
}

/** What a run counted. All are numbers of records or listings but `fetchedBytes`. */
export interface RunFigures {
  fetchedBytes: number;
  records: number;
  added: number;
  changed: number;
  unchanged: number;
  removed: number;
  rejected: number;
  warnings: number;
}

export function noFigures(): RunFigures {
  return { fetchedBytes: 0, records: 0, added: 0, changed: 0, unchanged: 0, removed: 0, rejected: 0, warnings: 0 };
}

/** Which listings a dry run would have added, changed and removed: the first of each kind, in the feed's order. */
export type RunDifference = Record<'added' | 'changed' | 'removed', string[]>;

/** A run as the operators' tools print it. Times are ISO 8601 in UTC. */
export interface RunView {
  id: number;
  crm: string;
  client: string;
  trigger: RunTrigger;
  state: RunState;
  started_at: string | null;
  ended_at: string | null;
  fetched_bytes: number;
  records: number;
  added: number;
  changed: number;
  unchanged: number;
  removed: number;
  rejected: number;
  warnings: number;
  /** The snapshot that the run published or holds back. */
  snapshot: number | null;
  reason: string | null;
  /** Present, and true, when the run was asked not to publish. */
  dry_run?: true;
  /** Present, and true, when the publish gate was passed by order. */
  forced?: true;
  /** Present when it stands for the unchanged runs of a day, itself the last of them. */
  folded?: { runs: number; first_started_at: string | null };
}
