import type { ListedSnapshot } from '@passerelle/database';
import type { RunTrigger } from '@passerelle/domain';

/** A snapshot that is kept, as the operators' tools print it. Times are ISO 8601 in UTC. */
export interface SnapshotView {
  token: string;
  /** The number of the snapshot, as shown in runs. */
  snapshot: number;
  current: boolean;
  total: number;
  published_at: string;
  /** When the source last confirmed the snapshot; null when it never did, as after a revert. */
  confirmed_at: string | null;
  /** The run that published it; its counts are null when the run was deleted. */
  run: number;
  trigger: RunTrigger | null;
  added: number | null;
  changed: number | null;
  removed: number | null;
  approved: boolean;
}

export function toSnapshotView(listed: ListedSnapshot): SnapshotView {
  const { token, id, isCurrent, total, publishedAt, confirmedAt, runId, trigger, approved } = listed;
  const { added, changed, removed } = listed;
  return {
    ...{ token, snapshot: id, current: isCurrent, total, published_at: publishedAt, confirmed_at: confirmedAt },
    ...{ run: runId, trigger, added, changed, removed, approved },
  };
}
