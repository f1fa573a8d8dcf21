import type { RememberedFeed } from '@passerelle/database';

/**
 * How the next run sees that nothing has changed: by the source's answer, by the time and size of its file, by the bytes of the whole
 * feed, or by its records alone.
 */
export type MemoryMark = 'answer' | 'file' | 'bytes' | 'records';

/** What a run remembers of its source for the next one, without secrets. Times are ISO 8601 in UTC. */
export interface FeedMemoryView {
  /** Null until something was published: then everything is read. */
  unchanged_by: MemoryMark | null;
  /** Of the answer over HTTP, as the source wrote it. */
  etag: string | null;
  last_modified: string | null;
  /** Of the feed, where it is one document. */
  size_bytes: number | null;
  /** Records that are known by their prints, for they are published: they are mapped again when they have changed. */
  known_records: number;
  /** When a source was last read as a whole that calls, or says what has changed. */
  whole_list_read_at: string | null;
  /** When it was last asked what has changed, and the newest removal that it has told of. */
  changes_asked_at: string | null;
  newest_removal_at: string | null;
  /** Listings that were confirmed before are asked for anew. */
  asked_anew_since: string | null;
  /** Records that were asked for one by one and are not published yet: the next run does not ask for them again. */
  kept_records: number;
  kept_since: string | null;
}

/** An ETag may be as long as a source likes. */
const MOST_OF_ETAG = 100;

/** @param gateway what is published of it, and its source without secrets */
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
