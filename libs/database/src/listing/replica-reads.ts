import { Pool } from 'pg';
import { type DatabaseOptions, connectionSettings } from '../connection-settings';
import { Injectable } from '@nestjs/common';

/** After a failure the replica is left alone for so long. */
const REST_MS = 10_000;
/** The database itself answers in less. */
const CONNECTION_TIMEOUT_MS = 1_000;

/** What is asked for is gone, or has not come yet. */
export class RowMissing extends Error {}

/**
 * Reads what never changes once it is there from a replica, where there is one; from the database itself while the replica
 * fails, or has not got it yet.
 */
@Injectable()
export class ReplicaReads {
  /** How many reads came from where, since the process started. */
  readonly figures = { replica: 0, primary: 0 };
  private restUntilMs = -Infinity;

  constructor(
    private readonly primary: Pool,
    private readonly replica: Pool | null,
  ) {}

  /** @param read throws RowMissing when what it looks for need not have come yet */
  async read<T>(read: (pool: Pool, isReplica: boolean) => Promise<T>): Promise<T> {
    if (this.replica !== null && performance.now() >= this.restUntilMs) {
      try {
        const found = await read(this.replica, true);
        this.figures.replica += 1;
        return found;
      } catch (error) {
        if (!(error instanceof RowMissing)) this.restUntilMs = performance.now() + REST_MS;
      }
    }
    this.figures.primary += 1;
    return read(this.primary, false);
  }

  /** Called once the server has answered its last request. */
  async onApplicationShutdown(): Promise<void> {
    await this.replica?.end();
  }
}

/** The pool of a replica: one that cannot be reached costs a reader a second, not five. */
export function replicaPool(options: DatabaseOptions): Pool {
  const pool = new Pool({
    ...connectionSettings(options),
    connectionString: options.url,
    application_name: options.applicationName,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
  });
  // The next read finds out.
  pool.on('error', () => undefined);
  return pool;
}
