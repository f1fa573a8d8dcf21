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

/** `first-read`, `stale-read` and `call` (a webhook from the CRM) come from the API. `revert` and `remap` read no source. */
export const RUN_TRIGGERS = [
  'schedule',
  'ops',
  'http',
  'first-read',
  'stale-read',
  'retry',
  'dry-run',
  'call',
  'revert',
  'remap',
] as const;
export type RunTrigger = (typeof RUN_TRIGGERS)[number];

/** Whether a run is over. A held run counts as over, although an operator can still change its state. */
export function isRunOver(state: RunState): boolean {
  return state !== 'queued' && state !== 'running';
}

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

/** The listings that a dry run would have added, changed and removed: the first of each kind, in the feed's order. */
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
  /** Listings that keep their last published version because their records are unreadable; absent for none. */
  kept?: number;
  dry_run?: true;
  /** True when an operator overruled the publish gate; else absent. */
  forced?: true;
  /** Set if this row also represents the earlier unchanged runs of its day. */
  folded?: { runs: number; first_started_at: string | null };
}

/** Reasons why the publish gate holds a run, in words for site owners, who can neither see nor repair the source. */
export const HELD_REASONS = {
  empty: 'The source sent an empty list. An operator must check it.',
  incomplete: 'The source sent an incomplete list. An operator must check it.',
  nothing_usable: 'None of the records that the source sent can be used. An operator must check it.',
  vanished: 'Unusually many listings are missing from what the source sent. An operator must check it.',
  mapping_changed:
    'Sold, let or withdrawn listings that were shown until now are recognised since an update. An operator must check it.',
  replaced: 'Unusually many listings of the source have other identifiers than before. An operator must check it.',
  foreign: 'The source sent listings of other agencies than before. An operator must check it.',
  fill_drop: 'The feed lacks fields that it had before. An operator must check it.',
  unknown_element: 'The source sent records of a kind that is not known here. An operator must check it.',
  garbled: 'Texts of the source are garbled. An operator must check it.',
  reverted:
    'An operator went back to an earlier list, and the source still sends the newer one. An operator must check it.',
} as const;
export type GateReasonCode = keyof typeof HELD_REASONS;

export const FAILED_REASONS = {
  retry: 'The source did not answer, or asked for a pause. It is retried automatically.',
  'give-up': 'The source answered with something that is not a complete feed. It is retried automatically.',
  'fix-access': 'The source refuses access, or its settings cannot work. The operator of the gateway must change them.',
  deadline: 'Reading the source took too long. It is retried automatically.',
  media: 'Photos cannot be stored inside the service. The import is retried automatically.',
  internal: 'The last import failed inside the service. It is retried automatically.',
  revert: 'An operator wanted to go back to an earlier list, but it is no longer kept. The current list stays.',
} as const;
export type FailedReasonCode = keyof typeof FAILED_REASONS;
