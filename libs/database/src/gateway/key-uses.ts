import type { KeyHash, StoredApiKey } from '@passerelle/domain';
import { Pool } from 'pg';
import { Injectable } from '../injection';

/** What the use of an API key changes of it. */
@Injectable()
export class KeyUses {
  constructor(private readonly pool: Pool) {}

  /** Notes that a key was used today; changes nothing when that is known. */
  async note(keyId: number): Promise<void> {
    await this.pool.query(
      `UPDATE api_key SET last_used_on = current_date
       WHERE id = $1 AND (last_used_on IS NULL OR last_used_on < current_date)`,
      [keyId],
    );
  }

  /** Puts a newer hash in the place of the one that was read; changes nothing when another process has done so. */
  async rehash({ id, hash: known }: Pick<StoredApiKey, 'id' | 'hash'>, { hash, keyId }: KeyHash): Promise<void> {
    await this.pool.query('SELECT rehash_api_key($1, $2, $3, $4)', [id, known, hash, keyId]);
  }
}
