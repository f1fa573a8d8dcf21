import { Pool } from 'pg';
import { joinText } from '../snapshot/version-sql';

/** The listing of a lead; its values are null when the current list lacks the listing. */
export interface LeadListing {
  /** Its text. */
  listing: string | null;
  scope: string | null;
}

export class LeadListings {
  constructor(private readonly pool: Pool) {}

  async find(gatewayId: number, affId: string | null): Promise<LeadListing> {
    const { rows } = await this.pool.query<LeadListing>(
      `SELECT n.body AS listing, v.scope FROM current_listing c
       JOIN listing_version v ON v.gateway_id = $1 AND v.id = c.version_id
       ${joinText('listing_normalized', 'n', 'c.version_id')}
       WHERE c.gateway_id = $1 AND c.aff_id = $2`,
      [gatewayId, affId],
    );
    return rows[0] ?? { listing: null, scope: null };
  }
}
