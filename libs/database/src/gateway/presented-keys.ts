import { Pool } from 'pg';
import type { KeyHash } from '@passerelle/domain';
import { inTransaction } from '../transaction';

/** An API key or an export token from a request to the API, sealed, with the hash that is stored for it. */
export interface PresentedKey {
  kind: 'api_key' | 'export_token';
  id: number;
  sealed: Buffer;
  stored: KeyHash;
}

/** A presented key after its check; `newer` is null when its stored hash is already the newest. */
export interface CheckedKey extends PresentedKey {
  newer: KeyHash | null;
}

/** Keys and tokens that the API stores for the ingestor, because only the ingestor may write their hashes. */
export class PresentedKeys {
  constructor(private readonly pool: Pool) {}

  async list(limit: number): Promise<PresentedKey[]> {
    const { rows } = await this.pool.query<Omit<PresentedKey, 'stored'> & KeyHash>(
      `SELECT CASE WHEN p.api_key_id IS NULL THEN 'export_token' ELSE 'api_key' END AS kind,
              coalesce(p.api_key_id, p.export_token_id) AS id, p.sealed,
              coalesce(k.keyed_hash, k.hash, t.hash) AS hash, coalesce(k.key_id, t.key_id) AS "keyId"
       FROM presented_key p LEFT JOIN api_key k ON k.id = p.api_key_id LEFT JOIN export_token t ON t.id = p.export_token_id
       LIMIT $1`,
      [limit],
    );
    return rows.map(({ hash, keyId, ...presented }) => ({ ...presented, stored: { hash, keyId } }));
  }

  /** Writes newer hashes, unless the stored ones have changed meanwhile, and deletes all rows of these keys. */
  async settle(checked: readonly CheckedKey[]): Promise<void> {
    await inTransaction(this.pool, async (client) => {
      for (const [kind, column] of COLUMNS) {
        const ofKind = checked.filter((key) => key.kind === kind);
        const renewed = ofKind.flatMap(({ newer, ...key }) => (newer === null ? [] : [{ ...key, newer }]));
        await client.query(UPDATES[kind], [
          renewed.map(({ id }) => id),
          renewed.map(({ stored }) => stored.hash),
          renewed.map(({ newer }) => newer.hash),
          renewed.map(({ newer }) => newer.keyId),
        ]);
        await client.query(
          `DELETE FROM presented_key p USING unnest($1::integer[], $2::bytea[]) AS checked (id, sealed)
           WHERE p.${column} = checked.id AND p.sealed = checked.sealed`,
          [ofKind.map(({ id }) => id), ofKind.map(({ sealed }) => sealed)],
        );
      }
    });
  }
}

const COLUMNS = [
  ['api_key', 'api_key_id'],
  ['export_token', 'export_token_id'],
] as const;

const RENEWED = 'unnest($1::integer[], $2::bytea[], $3::bytea[], $4::text[]) AS renewed (id, known, hash, key_id)';
const UPDATES = {
  // Keep `hash` for the release that created it.
  api_key: `UPDATE api_key k SET keyed_hash = renewed.hash, key_id = renewed.key_id FROM ${RENEWED}
            WHERE k.id = renewed.id AND coalesce(k.keyed_hash, k.hash) = renewed.known`,
  export_token: `UPDATE export_token t SET hash = renewed.hash, key_id = renewed.key_id FROM ${RENEWED}
                 WHERE t.id = renewed.id AND t.hash = renewed.known`,
};
