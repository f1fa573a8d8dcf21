import {
  firstSecretsKeyName,
  nameOfSecret,
  secretsKeyFault,
  type SecretsKeys,
  type SecretsKeyState,
} from '@passerelle/domain';
import type { Pool } from 'pg';
import { isWriteRefused } from './database-failures';

/** The SECRETS_KEY of this process is not the database's. The message is one line that says what to do. */
export class SecretsKeyUnfit extends Error {
  override readonly name = 'SecretsKeyUnfit';
}

export class SecretsKeyCheck {
  constructor(
    private readonly pool: Pool,
    private readonly keys: SecretsKeys,
  ) {}

  async state(): Promise<SecretsKeyState> {
    const { rows } = await this.pool.query<SecretsKeyState>(
      `SELECT name, carried, is_used AS "isUsed" FROM secrets_key_state()`,
    );
    return rows[0] ?? { name: null, carried: [], isUsed: false };
  }

  /** The reason why this process must not work with the database, in one line; null when its keys fit. */
  async fault(): Promise<string | null> {
    return secretsKeyFault(this.keys, await this.state());
  }

  /** Returns `fault`, and stores this process's key name in a database without one. For processes that may write. */
  async faultOrClaim(): Promise<string | null> {
    const state = await this.state();
    const fault = secretsKeyFault(this.keys, state);
    const name = firstSecretsKeyName(this.keys, state);
    if (fault !== null || state.name !== null || name === null) return fault;
    try {
      await this.pool.query('UPDATE installation SET secrets_key_name = $1 WHERE secrets_key_name IS NULL', [name]);
    } catch (error) {
      // If the database takes no writes now, the next process stores the name.
      if (isWriteRefused(error)) return null;
      throw error;
    }
    // Another process may have stored a name first.
    return this.fault();
  }

  /** @throws SecretsKeyUnfit */
  async assertFits(): Promise<void> {
    const fault = await this.fault();
    if (fault !== null) throw new SecretsKeyUnfit(fault);
  }

  /** Throws the reason that `faultOrClaim` returns. For processes that may write. @throws SecretsKeyUnfit */
  async assertFitsOrClaim(): Promise<void> {
    const fault = await this.faultOrClaim();
    if (fault !== null) throw new SecretsKeyUnfit(fault);
  }

  /** Makes this process's SECRETS_KEY the database's key. `rekey` calls it after it has sealed everything. */
  async replace(): Promise<void> {
    const { secretsKey } = this.keys;
    if (secretsKey === null) throw new Error('there is no SECRETS_KEY to replace the previous one');
    await this.pool.query('UPDATE installation SET secrets_key_name = $1', [nameOfSecret(secretsKey)]);
  }
}
