import { RETENTION } from '@passerelle/domain';
import { Pool } from 'pg';
import { isForbidden } from '../database-failures';
import { type Operator, OPERATOR_COLUMNS } from './operators';

const { count: NETWORKS, days: NETWORK_DAYS } = RETENTION.signInNetworks;

/** SQL: a link works until it expires, its operator is disabled, or the operator's sessions are ended. */
const operatorOf = (links: string): string =>
  `SELECT ${OPERATOR_COLUMNS} FROM operator
   WHERE disabled_at IS NULL AND (name, session_epoch) IN (SELECT operator, session_epoch FROM ${links})`;

/** A link that was added. */
interface AddedLink {
  /** When the link expires, ISO 8601 in UTC by the database's clock. */
  until: string;
}

/** One-time links by the digest of their token, and the networks from which operators have signed in. */
export class SignIns {
  constructor(private readonly pool: Pool) {}

  /** @returns null when no such operator may sign in, `forbidden` when the database role may not add links */
  async addLink(name: string, digest: Buffer, seconds: number): Promise<AddedLink | 'forbidden' | null> {
    const adding = this.pool.query<AddedLink>(
      `WITH over AS (DELETE FROM sign_in_link WHERE ends_at <= now())
       INSERT INTO sign_in_link (digest, operator, session_epoch, ends_at)
       SELECT $2, name, session_epoch, now() + make_interval(secs => $3)
       FROM operator WHERE name = $1 AND disabled_at IS NULL
       RETURNING to_json(ends_at) #>> '{}' AS until`,
      [name, digest, seconds],
    );
    try {
      return (await adding).rows[0] ?? null;
    } catch (error) {
      if (isForbidden(error)) return 'forbidden';
      throw error;
    }
  }

  /** Finds the operator of a valid link, without using the link; null for any other digest. */
  async findLink(digest: Buffer): Promise<Operator | null> {
    const { rows } = await this.pool.query<Operator>(operatorOf('sign_in_link WHERE digest = $1 AND ends_at > now()'), [
      digest,
    ]);
    return rows[0] ?? null;
  }

  /** Uses a link: only one of several concurrent requests gets the operator. @returns null for an invalid link. */
  async useLink(digest: Buffer): Promise<Operator | null> {
    const { rows } = await this.pool.query<Operator>(
      `WITH used AS (DELETE FROM sign_in_link WHERE digest = $1 RETURNING *) ${operatorOf('used WHERE ends_at > now()')}`,
      [digest],
    );
    return rows[0] ?? null;
  }

  /** Also deletes networks that are old or exceed the limit. */
  async note(name: string, network: string | null): Promise<void> {
    await this.pool.query(
      `WITH signed_in AS (UPDATE operator SET signed_in_at = now() WHERE name = $1 RETURNING name),
         kept AS (
           INSERT INTO operator_network (operator, network) SELECT name, $2 FROM signed_in WHERE $2::text IS NOT NULL
           ON CONFLICT (operator, network) DO UPDATE SET last_at = now())
       DELETE FROM operator_network
       WHERE (operator, network) <> ($1, $2) AND (last_at < now() - make_interval(days => $3) OR (operator, network) IN (
         SELECT operator, network FROM operator_network WHERE operator = $1 AND network <> $2
         ORDER BY last_at DESC OFFSET $4))`,
      [name, network, NETWORK_DAYS, NETWORKS - 1],
    );
  }

  async isKnownNetwork(name: string, network: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `SELECT FROM operator_network WHERE operator = $1 AND network = $2 AND last_at > now() - make_interval(days => $3)`,
      [name, network, NETWORK_DAYS],
    );
    return rowCount === 1;
  }
}
