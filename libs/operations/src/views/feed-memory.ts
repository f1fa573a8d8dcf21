import type { RememberedFeed } from '@passerelle/database';

/**
 * How the next run sees that nothing has changed: by the source's answer, by the time and size of its file, by the
 * bytes of the whole feed, or by its records only.
 */
export type MemoryMark = 'answer' | 'file' | 'bytes' | 'records';

/** The facts that a run keeps about its source for the next run, without secrets. Times are ISO 8601 in UTC. */
export interface FeedMemoryView {
  /** Null until something was published: until then, every record is read. */
  unchanged_by: MemoryMark | null;
  /** From the answer over HTTP, as the source wrote it. */
  etag: string | null;
  last_modified: string | null;
  /** When the feed is one document. */
  size_bytes: number | null;
  /** Published records with their hashes: a record is mapped again only when its hash has changed. */
  known_records: number;
  /** When a source that calls, or lists its changes, was last read as a whole. */
  whole_list_read_at: string | null;
  /** When its changes were last requested, and the newest removal that it reported. */
  changes_asked_at: string | null;
  newest_removal_at: string | null;
  /** Listings confirmed before this time are requested again. */
  asked_anew_since: string | null;
  /** Records that were requested one by one and are not published yet: the next run does not request them again. */
  kept_records: number;
  kept_since: string | null;
}

/** A source may send an ETag of any length. */
const MOST_OF_ETAG = 100;

/** @param gateway its published state, and its source without secrets */
export function toFeedMemoryView(
  memory: RememberedFeed,
  gateway: { listings: number | null; sourceUrl: string | null },
): FeedMemoryView {
  const isOverHttp = gateway.sourceUrl === null || /^https?:/i.test(gateway.sourceUrl);
  const modifiedMs = Date.parse(memory.lastModified ?? '');
  return {
    unchanged_by: gateway.listings === null ? null : markOf(memory, isOverHttp),
    etag: isOverHttp ? (memory.etag?.slice(0, MOST_OF_ETAG) ?? null) : null,
    last_modified: Number.isNaN(modifiedMs) ? null : new Date(modifiedMs).toISOString(),
    size_bytes: memory.sizeBytes,
    known_records: gateway.listings ?? 0,
    whole_list_read_at: memory.comparedAt,
    changes_asked_at: memory.askedAt,
    newest_removal_at: memory.removedAt,
    asked_anew_since: memory.anewSince,
    kept_records: memory.keptDetails,
    kept_since: memory.keptSince,
  };
}

function markOf({ etag, lastModified, hasFingerprint }: RememberedFeed, isOverHttp: boolean): MemoryMark {
  if (etag !== null || lastModified !== null) return isOverHttp ? 'answer' : 'file';
  return hasFingerprint ? 'bytes' : 'records';
}
