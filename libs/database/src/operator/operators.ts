import type { OperatorRole } from '@passerelle/domain';
import { Pool } from 'pg';

/** A person who signs in to the console. Times are ISO 8601 in UTC. */
export interface Operator {
  name: string;
  role: OperatorRole;
  disabledAt: string | null;
  createdAt: string;
  signedInAt: string | null;
  /** Sessions with another number have ended. A new password and disabling the operator change the number. */
  sessionEpoch: number;
  /** When an identity provider last gave the role; null if none did. */
  roleGivenAt: string | null;
}

export const OPERATOR_COLUMNS = `name, role, to_json(disabled_at) #>> '{}' AS "disabledAt", to_json(created_at) #>> '{}' AS "createdAt",
  to_json(signed_in_at) #>> '{}' AS "signedInAt", session_epoch AS "sessionEpoch",
  to_json(role_given_at) #>> '{}' AS "roleGivenAt"`;

/** SQL: a number that a session of a removed operator with the same name does not have. It can still grow. */
const NEW_EPOCH = '(random() * 1000000000)::integer';

/** The operators of the console, who have a password here, an account at an identity provider, or both. */
export class Operators {
  constructor(private readonly pool: Pool) {}

  async list(): Promise<Operator[]> {
    return (await this.pool.query<Operator>(`SELECT ${OPERATOR_COLUMNS} FROM operator ORDER BY name`)).rows;
  }

  async find(name: string): Promise<Operator | null> {
    const { rows } = await this.pool.query<Operator>(`SELECT ${OPERATOR_COLUMNS} FROM operator WHERE name = $1`, [
      name,
    ]);
    return rows[0] ?? null;
  }

  /** @returns false when another operator has this name. */
  async add(name: string, role: OperatorRole, passwordHash: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `INSERT INTO operator (name, role, password_hash, session_epoch) VALUES ($1, $2, $3, ${NEW_EPOCH}) ON CONFLICT DO NOTHING`,
      [name, role, passwordHash],
    );
    return rowCount === 1;
  }

  async findSubject(subject: string): Promise<Operator | null> {
    const { rows } = await this.pool.query<Operator>(`SELECT ${OPERATOR_COLUMNS} FROM operator WHERE subject = $1`, [
      subject,
    ]);
    return rows[0] ?? null;
  }

  /** Adds an operator without a password. @returns false when the name or the subject is taken */
  async addSubject(name: string, role: OperatorRole, subject: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `INSERT INTO operator (name, role, subject, session_epoch) VALUES ($1, $2, $3, ${NEW_EPOCH}) ON CONFLICT DO NOTHING`,
      [name, role, subject],
    );
    return rowCount === 1;
  }

  /** Ends the operator's sessions. @returns false for an unknown operator */
  async remove(name: string): Promise<boolean> {
    const { rows } = await this.pool.query<{ isRemoved: boolean }>('SELECT remove_operator($1) AS "isRemoved"', [name]);
    return rows[0]?.isRemoved === true;
  }

  async setRole(name: string, role: OperatorRole): Promise<void> {
    await this.pool.query('UPDATE operator SET role = $2 WHERE name = $1', [name, role]);
  }

  /** @param grant sealed, for the next request of the role @param at when the provider gave the role */
  async storeGrant(name: string, grant: Buffer, at: Date): Promise<void> {
    await this.pool.query(
      'UPDATE operator SET provider_grant = $2, role_given_at = $3, role_asked_at = $3 WHERE name = $1',
      [name, grant, at],
    );
  }

  /** @returns null when another console has taken the grant since `unlessSince`, or there is no grant */
  async takeGrant(name: string, unlessSince: Date, now: Date): Promise<Buffer | null> {
    const { rows } = await this.pool.query<{ grant: Buffer | null }>(
      `UPDATE operator SET role_asked_at = $3 WHERE name = $1 AND role_asked_at <= $2
       RETURNING provider_grant AS grant`,
      [name, unlessSince, now],
    );
    return rows[0]?.grant ?? null;
  }

  /** The stored hash of the password; null for an unknown operator, and for an operator without a password here. */
  async passwordHash(name: string): Promise<string | null> {
    const { rows } = await this.pool.query<{ hash: string | null }>(
      'SELECT password_hash AS hash FROM operator WHERE name = $1',
      [name],
    );
    return rows[0]?.hash ?? null;
  }

  /** Ends the operator's sessions. @returns false for an unknown operator. */
  async setPassword(name: string, passwordHash: string): Promise<boolean> {
    return this.change(name, 'password_hash = $2, session_epoch = session_epoch + 1', passwordHash);
  }

  async endSessions(name: string): Promise<void> {
    await this.pool.query(
      'UPDATE operator SET session_epoch = session_epoch + 1, provider_grant = NULL WHERE name = $1',
      [name],
    );
  }

  /** Disables or enables an operator; disabling ends the sessions. @returns false for an unknown operator. */
  async setDisabled(name: string, isDisabled: boolean): Promise<boolean> {
    return this.change(
      name,
      `disabled_at = CASE WHEN $2 THEN coalesce(disabled_at, now()) END,
       session_epoch = session_epoch + CASE WHEN $2 THEN 1 ELSE 0 END,
       provider_grant = CASE WHEN NOT $2 THEN provider_grant END`,
      isDisabled,
    );
  }

  private async change(name: string, assignments: string, value: string | boolean): Promise<boolean> {
    const { rowCount } = await this.pool.query(`UPDATE operator SET ${assignments} WHERE name = $1`, [name, value]);
    return rowCount === 1;
  }
}
