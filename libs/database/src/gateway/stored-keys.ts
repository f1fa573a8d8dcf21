import { Pool } from 'pg';

/** A key as shown to operators; the day is in UTC, `YYYY-MM-DD`. */
interface OtherKey {
  crm: string;
  client: string;
  prefix: string;
  lastUsedOn: string | null;
}

export class StoredKeys {
  constructor(private readonly pool: Pool) {}

  /** Counts valid keys by the secret that hashed them; null is the installation's own secret. */
  async countBySecret(): Promise<{ keyId: string | null; count: number }[]> {
    const { rows } = await this.pool.query<{ keyId: string | null; count: number }>(
      `SELECT key_id AS "keyId", count(*)::int AS count FROM (
         SELECT key_id FROM api_key WHERE expires_at IS NULL OR expires_at > now()
         UNION ALL SELECT key_id FROM export_token
       ) AS stored GROUP BY key_id`,
    );
    return rows;
  }

  /** Lists the valid keys that are hashed with another secret. */
  async listOthers(keyId: string | null): Promise<OtherKey[]> {
    const { rows } = await this.pool.query<OtherKey>(
      `SELECT g.crm, g.client, k.prefix, k.last_used_on AS "lastUsedOn"
       FROM api_key k JOIN gateway g ON g.id = k.gateway_id
       WHERE k.key_id IS DISTINCT FROM $1 AND (k.expires_at IS NULL OR k.expires_at > now())
       ORDER BY g.crm, g.client, k.id`,
      [keyId],
    );
    return rows;
  }

  /** In rows with a newer hash, replaces the hash that releases without key ids read by random bytes. */
  async forgetFormerHashes(): Promise<void> {
    await this.pool.query(
      `UPDATE api_key SET hash = sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
       WHERE keyed_hash IS NOT NULL`,
    );
  }
}

export class KeyUses {
  constructor(private readonly pool: Pool) {}

  async note(keyId: number): Promise<void> {
    await this.pool.query(
      `UPDATE api_key SET last_used_on = current_date
       WHERE id = $1 AND (last_used_on IS NULL OR last_used_on < current_date)`,
      [keyId],
    );
  }

  /** Stores a sealed key for the ingestor, which writes its newer hash; does nothing if the key is already stored. */
  async leave(keyId: number, sealed: Buffer): Promise<void> {
    await this.pool.query(
      `INSERT INTO presented_key (api_key_id, sealed) SELECT id, $2::bytea FROM api_key WHERE id = $1 ON CONFLICT DO NOTHING`,
      [keyId, sealed],
    );
  }
}
