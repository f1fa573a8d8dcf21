import { Pool } from 'pg';

/** Stored facts about the source of one gateway, without secrets. Times are ISO 8601, except `lastModified`. */
export interface RememberedFeed {
  etag: string | null;
  /** In the source's format. */
  lastModified: string | null;
  hasFingerprint: boolean;
  sizeBytes: number | null;
  /** When a run last read the whole list, for a source with webhooks or a list of changes. */
  comparedAt: string | null;
  /** When a run last requested a source's list of changes. */
  askedAt: string | null;
  /** The newest removal that the source has reported. */
  removedAt: string | null;
  /** If set, a run requests everything again that was confirmed before this time; else null. */
  anewSince: string | null;
  /** Records that were requested individually and are not published yet, and since when the oldest record waits. */
  keptDetails: number;
  keptSince: string | null;
}

export class RememberedFeeds {
  constructor(private readonly pool: Pool) {}

  async find(gatewayId: number): Promise<RememberedFeed | null> {
    const { rows } = await this.pool.query<RememberedFeed>(
      `SELECT etag, last_modified AS "lastModified", has_fingerprint AS "hasFingerprint",
              size_bytes AS "sizeBytes", compared_at AS "comparedAt", asked_at AS "askedAt", removed_at AS "removedAt",
              anew_since AS "anewSince", kept_details AS "keptDetails", to_json(kept_since) #>> '{}' AS "keptSince"
       FROM shown_feed_memory($1)`,
      [gatewayId],
    );
    return rows[0] ?? null;
  }
}
