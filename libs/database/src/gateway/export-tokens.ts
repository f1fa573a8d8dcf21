import type { KeyHash } from '@passerelle/domain';
import { Pool } from 'pg';

export interface ExportToken {
  id: number;
  prefix: string;
  /** ISO 8601 in UTC. */
  createdAt: string;
  /** `YYYY-MM-DD`, in UTC; null when it was never used. */
  lastUsedOn: string | null;
}

export interface FoundToken extends KeyHash {
  id: number;
  crm: string;
  client: string;
}

/** Tokens that open the exports of one gateway only. The database stores keyed hashes of them. */
export class ExportTokens {
  constructor(private readonly pool: Pool) {}

  async add(gatewayId: number, { hash, keyId, prefix }: KeyHash & { prefix: string }): Promise<void> {
    await this.pool.query('SELECT add_export_token($1, $2, $3, $4)', [gatewayId, hash, keyId, prefix]);
  }

  /** Oldest first. */
  async list(gatewayId: number): Promise<ExportToken[]> {
    const { rows } = await this.pool.query<ExportToken>(
      `SELECT id, prefix, to_json(created_at) #>> '{}' AS "createdAt", last_used_on::text AS "lastUsedOn"
       FROM export_token WHERE gateway_id = $1 ORDER BY id`,
      [gatewayId],
    );
    return rows;
  }

  /** @returns false when the gateway has no such token. */
  async revoke(gatewayId: number, id: number): Promise<boolean> {
    const { rows } = await this.pool.query<{ isRevoked: boolean }>(
      'SELECT revoke_export_token($1, $2) AS "isRevoked"',
      [gatewayId, id],
    );
    return rows[0]?.isRevoked === true;
  }

  async find(hashes: readonly KeyHash[]): Promise<FoundToken | null> {
    const { rows } = await this.pool.query<FoundToken>({
      name: 'export-token',
      text: `SELECT t.id, t.hash, t.key_id AS "keyId", g.crm, g.client
             FROM unnest($1::bytea[], $2::text[]) AS presented (hash, key_id)
             JOIN export_token t ON t.hash = presented.hash AND t.key_id IS NOT DISTINCT FROM presented.key_id
             JOIN gateway g ON g.id = t.gateway_id`,
      values: [hashes.map(({ hash }) => hash), hashes.map(({ keyId }) => keyId)],
    });
    return rows[0] ?? null;
  }

  /** @param sealed the token, for the ingestor to write its newer hash; null when the hash is already the newest */
  async noteUse({ id }: Pick<FoundToken, 'id'>, sealed: Buffer | null): Promise<void> {
    await this.pool.query(
      `UPDATE export_token SET last_used_on = current_date
       WHERE id = $1 AND (last_used_on IS NULL OR last_used_on < current_date)`,
      [id],
    );
    if (sealed === null) return;
    await this.pool.query(
      `INSERT INTO presented_key (export_token_id, sealed)
       SELECT id, $2::bytea FROM export_token WHERE id = $1 ON CONFLICT DO NOTHING`,
      [id, sealed],
    );
  }
}
