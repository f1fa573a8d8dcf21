import { Pool } from 'pg';
import { PHOTO_ROW, type PhotoRow } from './photo-rows';

export class ListingPhotos {
  constructor(private readonly pool: Pool) {}

  /** Yields the photos of the gateway's current snapshot, a few thousand at a time. */
  async *ofCurrent(gatewayId: number): AsyncGenerator<(PhotoRow & { versionId: number })[]> {
    let last = { versionId: 0, position: 0 };
    for (;;) {
      const { rows } = await this.pool.query<PhotoRow & { versionId: number; position: number }>({
        name: 'photos-of-current',
        // Most gateways have no photos, and this query must be cheap for them.
        text: `
          SELECT p.version_id AS "versionId", p.position, ${PHOTO_ROW}
          FROM current_listing c JOIN listing_photo p ON p.gateway_id = $1 AND p.version_id = c.version_id
          WHERE c.gateway_id = $1 AND EXISTS (SELECT FROM listing_photo WHERE gateway_id = $1)
            AND (p.version_id, p.position) > ($2, $3)
          ORDER BY p.version_id, p.position LIMIT ${AT_A_TIME}`,
        values: [gatewayId, last.versionId, last.position],
      });
      if (rows.length > 0) yield rows;
      last = rows.at(-1) ?? last;
      if (rows.length < AT_A_TIME) return;
    }
  }

  /** Reads only the current snapshot's photos, because other photos and files may be pruned at any time. */
  async named(gatewayId: number, names: readonly string[]): Promise<PhotoRow[]> {
    const { rows } = await this.pool.query<PhotoRow>({
      name: 'photos-by-name',
      text: `
        SELECT ${PHOTO_ROW}
        FROM listing_photo p
        JOIN listing_version v ON v.gateway_id = $1 AND v.id = p.version_id
        JOIN current_listing c ON c.gateway_id = $1 AND c.aff_id = v.aff_id AND c.version_id = v.id
        WHERE p.gateway_id = $1 AND p.name = ANY ($2::text[])`,
      values: [gatewayId, names],
    });
    return rows;
  }

  /** The photos of one listing in the gateway's current snapshot, in the listing's order. */
  async ofListing(gatewayId: number, affId: string): Promise<PhotoRow[]> {
    const { rows } = await this.pool.query<PhotoRow>({
      name: 'photos-of-listing',
      text: `
        SELECT ${PHOTO_ROW}
        FROM current_listing c JOIN listing_photo p ON p.gateway_id = $1 AND p.version_id = c.version_id
        WHERE c.gateway_id = $1 AND c.aff_id = $2
        ORDER BY p.position`,
      values: [gatewayId, affId],
    });
    return rows;
  }

  /** Finds the tokens that any listing version uses, served or not. */
  async findUsed(tokens: readonly string[]): Promise<Set<string>> {
    const { rows } = await this.pool.query<{ token: string }>(
      `SELECT t.token FROM unnest($1::text[]) AS t (token)
       WHERE EXISTS (SELECT FROM listing_photo p WHERE p.token = t.token)`,
      [tokens],
    );
    return new Set(rows.map(({ token }) => token));
  }

  /** Claims the pruning of the store: returns true once per period, to one process. */
  async claimPruning(everySeconds: number): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `UPDATE installation SET media_pruned_at = now()
       WHERE media_pruned_at IS NULL OR media_pruned_at < now() - make_interval(secs => $1)`,
      [everySeconds],
    );
    return rowCount === 1;
  }
}

const AT_A_TIME = 5_000;
