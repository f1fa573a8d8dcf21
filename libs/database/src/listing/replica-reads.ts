import { Pool } from 'pg';
import { type DatabaseOptions, connectionSettings } from '../connection-settings';
import { isDatabaseAway } from '../database-failures';
import { insistently } from '../insistently';
import { limitedClient } from '../limited-client';
import { hostsOf, OTHER_SERVER_MS } from '../several-hosts';
import { Injectable } from '@nestjs/common';
import type { NamedSnapshot } from '../snapshot/read-versions';

/** After a failure the replica is left alone for so long. */
const REST_MS = 10_000;
/** The database itself answers in less. */
const CONNECTION_TIMEOUT_MS = 1_000;

/** A replica that stands still costs a reader no more; what readers ask for takes less. */
const ANSWER_MS = 3_000;

/** What is asked for is gone, or has not come yet. */
export class RowMissing extends Error {}

/** A standby cancels what stands in the way of what it follows (SQLSTATE of a transaction that is to be tried again). */
const CANCELLED = '40001';

/**
 * Reads published snapshots, which never change, from a replica, where there is one; from the database itself while the replica
 * fails, or has not got them yet. Where the database is several servers, a connection may lead to one that follows another: what is
 * not there, or not answered, is asked for again.
 */
@Injectable()
export class ReplicaReads {
  /** How many reads came from where, since the process started. */
  readonly figures = { replica: 0, primary: 0 };
  private restUntilMs = -Infinity;
  private readonly hasSeveralHosts: boolean;

  constructor(
    private readonly primary: Pool,
    private readonly replica: Pool | null,
  ) {
    this.hasSeveralHosts = hostsOf(primary.options.connectionString).length > 1;
  }

  /**
   * Reads the texts and the order of a published snapshot.
   *
   * @param read throws RowMissing when what it looks for need not have come yet
   */
  async read<T>(snapshot: NamedSnapshot, read: (pool: Pool) => Promise<T>): Promise<T> {
    return this.fromEither(snapshot, read, read);
  }

  /** Reads what was committed with a published snapshot, or before it, where what has not come yet looks as if it were none. */
  async readAt<T>(snapshot: NamedSnapshot, read: (pool: Pool) => Promise<T>): Promise<T> {
    return this.fromEither(snapshot, read, async (pool) => {
      if (this.hasSeveralHosts) await expectPublished(pool, snapshot);
      return read(pool);
    });
  }

  private async fromEither<T>(
    snapshot: NamedSnapshot,
    ofReplica: (pool: Pool) => Promise<T>,
    ofPrimary: (pool: Pool) => Promise<T>,
  ): Promise<T> {
    const { replica } = this;
    if (replica !== null && performance.now() >= this.restUntilMs) {
      try {
        // Ahead of the reading: what is there then is there later.
        await expectPublished(replica, snapshot);
        const found = await ofReplica(replica);
        this.figures.replica += 1;
        return found;
      } catch (error) {
        if (!(error instanceof RowMissing)) this.restUntilMs = performance.now() + REST_MS;
      }
    }
    this.figures.primary += 1;
    if (!this.hasSeveralHosts) return ofPrimary(this.primary);
    return insistently(() => ofPrimary(this.primary), { patienceMs: OTHER_SERVER_MS, isForAnotherTry });
  }

  /** Called once the server has answered its last request. */
  async onApplicationShutdown(): Promise<void> {
    await this.replica?.end();
  }
}

/** By its token, where that is known: a replica of a server that was lost may have given the number to another snapshot. */
async function expectPublished(pool: Pool, { gatewayId, id, token }: NamedSnapshot): Promise<void> {
  const { rowCount } = await pool.query({
    name: 'is-published',
    text: `SELECT FROM snapshot WHERE gateway_id = $1 AND id = $2 AND published_at IS NOT NULL AND ($3::text IS NULL OR token = $3)`,
    values: [gatewayId, id, token ?? null],
  });
  if (rowCount === 0) throw new RowMissing(`the snapshot ${id} is not there, or not yet`);
}

function isForAnotherTry(error: unknown): boolean {
  if (error instanceof RowMissing || isDatabaseAway(error)) return true;
  return typeof error === 'object' && error !== null && 'code' in error && error.code === CANCELLED;
}

/** The pool of a replica: one that cannot be reached costs a reader a second, not five. */
export function replicaPool(options: DatabaseOptions): Pool {
  const { Client, ...settings } = connectionSettings(options);
  const pool = new Pool({
    ...settings,
    Client: limitedClient(ANSWER_MS, Client),
    connectionString: options.url,
    application_name: options.applicationName,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
  });
  // The next read finds out.
  pool.on('error', () => undefined);
  return pool;
}
