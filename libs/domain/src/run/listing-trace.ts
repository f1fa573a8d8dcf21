import type { RejectionCode } from './rejection';
import type { RunState } from './run';

/** Everything that is known of where one listing of a gateway is. Times are ISO 8601 in UTC. */
export interface ListingTrace {
  /** Null when no listing of that identifier or reference was ever built. */
  affId: string | null;
  /** Its place in the snapshot that is served; null when it is not in it. */
  listed: {
    snapshotId: number;
    position: number;
    total: number;
    /** A mask. */
    duties: number;
    /** Since when it has kept its last published version because its record is unreadable; null when its record is not. */
    keptSince: string | null;
  } | null;
  /** The last change that was published. */
  change: { kind: 'added' | 'changed' | 'removed'; runId: number; snapshotId: number; at: string } | null;
  /** What the gateway's waiting held run would do to it; null when it would do nothing, or none waits. */
  held: { kind: 'added' | 'changed' | 'removed'; runId: number; at: string; reason: string | null } | null;
  /** The photos of the listing that is served that came as files and are not shown. */
  lostPhotos: LostPhotos;
  /** The last time that a record of it was refused. */
  rejection: TracedRejection | null;
  /** The last run that read records. */
  lastReading: { runId: number; at: string } | null;
}

/** Photos of one listing that are not shown. */
export interface LostPhotos {
  count: number;
  /** A few of them, as the feed names them; null: the file is missing. */
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

/** Where a listing stands, with what made it so. */
export type ListingStanding =
  | { state: 'listed'; listed: NonNullable<ListingTrace['listed']> }
  | { state: 'held'; held: NonNullable<ListingTrace['held']> }
  | { state: 'rejected' | 'withdrawn'; rejection: TracedRejection }
  | { state: 'removed'; removal: NonNullable<ListingTrace['change']> }
  | { state: 'unknown' };

/** Of what happened to a listing that is not served, the newest counts; a run's rejection explains its removal. */
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
  // The sort is stable: what is named first explains what comes after it in the same run.
  const [newest] = standings.toSorted((a, b) => b.runId - a.runId);
  return newest?.standing ?? { state: 'unknown' };
}

/** The last refusal of a record, unless the listing was published since: an old one says nothing any more. */
export function currentRejection({ rejection, listed, change }: ListingTrace): TracedRejection | null {
  if (rejection === null) return null;
  return listed === null || change === null || rejection.runId > change.runId ? rejection : null;
}
