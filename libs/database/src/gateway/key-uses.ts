import { Pool } from 'pg';
import { Injectable } from '../injection';

/** On which day each API key was last used. */
@Injectable()
export class KeyUses {
  constructor(private readonly pool: Pool) {}

  /** Notes that a key was used today; changes nothing when that is known. */
  async note(gatewayId: number, hash: Buffer): Promise<void> {
    await this.pool.query(
      `UPDATE api_key SET last_used_on = current_date
       WHERE gateway_id = $1 AND hash = $2 AND (last_used_on IS NULL OR last_used_on < current_date)`,
      [gatewayId, hash],
    );
  }
}
