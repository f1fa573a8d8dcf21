import type { RememberedFeed } from '@passerelle/database';

/** Recognizes an unchanged feed by the source's answer, the file's time and size, all its bytes, or its records. */
export type MemoryMark = 'answer' | 'file' | 'bytes' | 'records';

/** The facts about a source that a run stores for the next run, without secrets. Times are ISO 8601 in UTC. */
export interface FeedMemoryView {
  /** Null until a list is published; until then, every run reads every record. */
  unchanged_by: MemoryMark | null;
  etag: string | null;
  last_modified: string | null;
  /** The size, if the feed is one document. */
  size_bytes: number | null;
  /** The number of published records with stored hashes; a run maps such a record again only if its hash changes. */
  known_records: number;
  /** When a source that notifies the gateway, or lists its changes, was last read completely. */
  whole_list_read_at: string | null;
  /** When the source's changes were last requested, and the time of the newest removal that it reported. */
  changes_asked_at: string | null;
  newest_removal_at: string | null;
  /** Listings confirmed before this time are requested again. */
  asked_anew_since: string | null;
  /** Records that were requested one by one and are not published yet; the next run does not request them again. */
  kept_records: number;
  kept_since: string | null;
}

/** The length limit for the shown ETag, because a source may send an ETag of any length. */
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
