import { Pool } from 'pg';

/** Data about sources that is kept from run to run. The caller seals all of it: docs/decisions/0054. */
export class SourceMemories {
  constructor(private readonly pool: Pool) {}

  /** The sealed credential; null when there is none, or it is time for a new one. */
  async findCredential(key: Buffer): Promise<Buffer | null> {
    const { rows } = await this.pool.query<{ sealed: Buffer }>(
      'SELECT sealed FROM source_credential WHERE key = $1 AND sealed IS NOT NULL AND renew_at > now()',
      [key],
    );
    return rows[0]?.sealed ?? null;
  }

  /** @returns whether the caller is the only process that may request a credential, for at most `forMs` */
  async beginExchange(key: Buffer, forMs: number): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `INSERT INTO source_credential AS c (key, asked_until) VALUES ($1, now() + make_interval(secs => $2))
       ON CONFLICT (key) DO UPDATE SET asked_until = excluded.asked_until
       WHERE c.asked_until IS NULL OR c.asked_until <= now()`,
      [key, forMs / 1000],
    );
    return rowCount === 1;
  }

  async keepCredential(key: Buffer, sealed: Buffer, goodForMs: number): Promise<void> {
    await this.pool.query(
      'UPDATE source_credential SET sealed = $2, renew_at = now() + make_interval(secs => $3) WHERE key = $1',
      [key, sealed, goodForMs / 1000],
    );
  }

  /** Lets other processes request a credential. */
  async endExchange(key: Buffer): Promise<void> {
    await this.pool.query('UPDATE source_credential SET asked_until = NULL WHERE key = $1', [key]);
  }

  async findDetail(gatewayId: number, hash: Buffer): Promise<Buffer | null> {
    const { rows } = await this.pool.query<{ sealed: Buffer }>({
      name: 'find-detail',
      text: 'SELECT sealed FROM source_detail WHERE gateway_id = $1 AND hash = $2',
      values: [gatewayId, hash],
    });
    return rows[0]?.sealed ?? null;
  }

  async keepDetail(gatewayId: number, hash: Buffer, sealed: Buffer): Promise<void> {
    await this.pool.query({
      name: 'keep-detail',
      text: `INSERT INTO source_detail (gateway_id, hash, sealed) VALUES ($1, $2, $3)
             ON CONFLICT (gateway_id, hash) DO UPDATE SET sealed = excluded.sealed, kept_at = now()`,
      values: [gatewayId, hash, sealed],
    });
  }

  async forgetDetails(gatewayId: number): Promise<void> {
    await this.pool.query('DELETE FROM source_detail WHERE gateway_id = $1', [gatewayId]);
  }

  /** A sealed response of the source, and whether the source confirmed it within `freshForMs`. */
  async findAnswer(key: Buffer, freshForMs: number): Promise<{ sealed: Buffer; isFresh: boolean } | null> {
    const { rows } = await this.pool.query<{ sealed: Buffer; isFresh: boolean }>({
      name: 'find-answer',
      text: `SELECT sealed, checked_at > now() - make_interval(secs => $2) AS "isFresh" FROM source_answer WHERE key = $1`,
      values: [key, freshForMs / 1000],
    });
    return rows[0] ?? null;
  }

  async keepAnswer(key: Buffer, sealed: Buffer): Promise<void> {
    await this.pool.query(
      `INSERT INTO source_answer (key, sealed) VALUES ($1, $2)
       ON CONFLICT (key) DO UPDATE SET sealed = excluded.sealed, checked_at = now()`,
      [key, sealed],
    );
  }

  async confirmAnswer(key: Buffer): Promise<void> {
    await this.pool.query('UPDATE source_answer SET checked_at = now() WHERE key = $1', [key]);
  }

  /** Removes records and responses that no run used again, and expired credentials and claims. @returns their number */
  async removeOld(days: number): Promise<number> {
    const details = await this.pool.query(
      'DELETE FROM source_detail WHERE kept_at < now() - make_interval(days => $1)',
      [days],
    );
    const credentials = await this.pool.query(
      `DELETE FROM source_credential
       WHERE coalesce(renew_at, '-infinity') < now() - interval '1 day' AND coalesce(asked_until, '-infinity') < now()`,
    );
    const answers = await this.pool.query(
      'DELETE FROM source_answer WHERE checked_at < now() - make_interval(days => $1)',
      [days],
    );
    const places = await this.pool.query(`DELETE FROM request_place WHERE until < now() - interval '1 day'`);
    return [details, credentials, answers, places].reduce((sum, { rowCount }) => sum + (rowCount ?? 0), 0);
  }
}
