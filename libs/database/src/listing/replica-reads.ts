import { Pool } from 'pg';
import { type DatabaseOptions, connectionSettings } from '../connection-settings';
import { Injectable } from '@nestjs/common';
import type { StoredSnapshot } from '../snapshot/read-versions';

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

  /**
   * Reads what never changes: the texts and the order of a snapshot.
   *
   * @param read throws RowMissing when what it looks for need not have come yet
   */
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

  /** Reads what was committed with a published snapshot, or before it: from a replica once it has got the snapshot. */
  async readAt<T>(snapshot: StoredSnapshot, read: (pool: Pool, isReplica: boolean) => Promise<T>): Promise<T> {
    return this.read(async (pool, isReplica) => {
      // Ahead of the reading: what is there then is there later.
      if (isReplica) await expectPublished(pool, snapshot);
      return read(pool, isReplica);
    });
  }

  /** Called once the server has answered its last request. */
  async onApplicationShutdown(): Promise<void> {
    await this.replica?.end();
  }
}

async function expectPublished(pool: Pool, { gatewayId, id }: StoredSnapshot): Promise<void> {
  const { rowCount } = await pool.query({
    name: 'is-published',
    text: 'SELECT FROM snapshot WHERE gateway_id = $1 AND id = $2 AND published_at IS NOT NULL',
    values: [gatewayId, id],
  });
  if (rowCount === 0) throw new RowMissing(`the replica has no snapshot ${id} yet`);
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
