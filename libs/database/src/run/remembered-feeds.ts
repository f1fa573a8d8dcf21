import { Pool } from 'pg';
import { Injectable } from '@nestjs/common';

/** What is remembered of the source of one gateway, as far as it is no secret. Times are ISO 8601, but for `lastModified`. */
export interface RememberedFeed {
  etag: string | null;
  /** As the source writes it. */
  lastModified: string | null;
  /** Of the bytes that were read last. */
  hasFingerprint: boolean;
  sizeBytes: number | null;
  /** When the whole list was last read, of a source that calls or says what has changed. */
  comparedAt: string | null;
  /** When a source that says what has changed was last asked. */
  askedAt: string | null;
  /** The newest removal that the source has told of. */
  removedAt: string | null;
  /** What was confirmed before is asked for anew. */
  anewSince: string | null;
  /** Records that were asked for by themselves and are not published yet, and since when the oldest waits. */
  keptDetails: number;
  keptSince: string | null;
}

/** What runs remember of their sources, for operators. */
@Injectable()
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
