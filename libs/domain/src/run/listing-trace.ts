import type { RejectionCode } from './rejection';
import type { RunState } from './run';

/** All stored facts about one listing of a gateway. Times are ISO 8601 in UTC. */
export interface ListingTrace {
  /** Null when no listing ever had the requested identifier or reference. */
  affId: string | null;
  /** The listing's position in the current snapshot; null when the snapshot does not contain it. */
  listed: {
    snapshotId: number;
    position: number;
    total: number;
    /** A mask. */
    duties: number;
    /** When the record became unreadable, so that the last published version stays; null for a readable record. */
    keptSince: string | null;
  } | null;
  change: {
    kind: 'added' | 'changed' | 'removed';
    runId: number;
    snapshotId: number;
    at: string;
    /** Why a listing was removed; `revert`: an operator went back to an earlier list. Null for other changes. */
    cause: 'absent' | 'withdrawn' | 'rejected' | 'revert' | null;
  } | null;
  /** The change that the gateway's held run would make to the listing; null for none. */
  held: { kind: 'added' | 'changed' | 'removed'; runId: number; at: string; reason: string | null } | null;
  /** The `affId` under which a removed listing came back; null for none. */
  replacedBy: string | null;
  /** Photos of the current listing that arrived as files and cannot be shown. */
  lostPhotos: LostPhotos;
  rejection: TracedRejection | null;
  /** A rejected record without an identifier that contains the requested text; only for an otherwise unknown listing. */
  nameless: TracedRejection | null;
  /** The last run that read records. */
  lastReading: { runId: number; at: string } | null;
}

export interface LostPhotos {
  count: number;
  /** Examples by their names in the feed; `refusal` is null when the file is missing. */
  examples: { name: string; refusal: string | null }[];
}

export interface TracedRejection {
  runId: number;
  runState: RunState;
  at: string;
  position: number;
  recordId: string | null;
  field: string | null;
  code: RejectionCode;
  message: string;
  excerpt: string | null;
}

export type ListingStanding =
  | { state: 'listed'; listed: NonNullable<ListingTrace['listed']> }
  | { state: 'held'; held: NonNullable<ListingTrace['held']> }
  | { state: 'rejected' | 'withdrawn'; rejection: TracedRejection }
  | { state: 'removed'; removal: NonNullable<ListingTrace['change']> }
  | { state: 'unknown' };

/** If a listing is not served, its newest event decides. A rejection explains a removal by the same run. */
export function standingOf({ listed, held, rejection, change }: ListingTrace): ListingStanding {
  if (listed !== null) return { state: 'listed', listed };
  const standings: { runId: number; standing: ListingStanding }[] = [];
  if (held?.kind === 'added') standings.push({ runId: held.runId, standing: { state: 'held', held } });
  if (rejection !== null) {
    const state = rejection.code === 'withdrawn' ? 'withdrawn' : 'rejected';
    standings.push({ runId: rejection.runId, standing: { state, rejection } });
  }
  if (change?.kind === 'removed')
    standings.push({ runId: change.runId, standing: { state: 'removed', removal: change } });
  // The sort is stable: of two events of one run, the first explains the second.
  const [newest] = standings.toSorted((a, b) => b.runId - a.runId);
  return newest?.standing ?? { state: 'unknown' };
}

/** Null when the listing was published later: the rejection is then out of date. */
export function currentRejection({ rejection, listed, change }: ListingTrace): TracedRejection | null {
  if (rejection === null) return null;
  return listed === null || change === null || rejection.runId > change.runId ? rejection : null;
}
