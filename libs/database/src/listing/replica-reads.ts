import { Pool } from 'pg';
import { type DatabaseOptions, connectionSettings } from '../connection-settings';
import { limitedClient } from '../limited-client';
import { outliveErrors } from '../steady-pool';
import { isConnectionLost } from '../database-failures';
import { retryLostRead } from '../retry-lost-read';
import { withConnection } from '../transaction';
import { Injectable } from '@nestjs/common';
import type { NamedSnapshot } from '../snapshot/read-versions';

/** After a failure the replica is left alone for so long. */
const REST_MS = 10_000;
/** The database itself answers in less. */
const CONNECTION_TIMEOUT_MS = 1_000;

/** What takes a replica longer is read from the database itself, and one that does not say so in time is silent. */
const STATEMENT_MS = 3_000;
const SILENT_MS = 3_500;

/** What is asked for is gone, or has not come yet. */
export class RowMissing extends Error {}

/** What is asked for is gone, on whichever server. */
export class RowPruned extends RowMissing {}

/** What can be asked: a pool, or one of its connections. */
export type Queryable = Pick<Pool, 'query'>;

/** A standby cancels what stands in the way of what it follows (SQLSTATE of a transaction that is to be tried again). */
const CANCELLED = '40001';
const TOOK_TOO_LONG = '57014';

/**
 * Reads published snapshots, which never change, from a replica, where there is one; from the database itself while the replica
 * fails, or does not have them yet. A proxy in front of the database may lead a connection to a standby: a read that finds the
 * snapshot missing there, or loses its connection, is repeated once.
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
   * Reads the texts and the order of a published snapshot.
   *
   * @param read throws RowMissing when what it looks for need not have come yet
   */
  async read<T>(snapshot: NamedSnapshot, read: (pool: Pool) => Promise<T>): Promise<T> {
    return this.fromEither(snapshot, read, read);
  }

  /** Reads what was committed with a published snapshot, or before it, where what has not come yet looks as if it were none. */
  async readAt<T>(snapshot: NamedSnapshot, read: (asked: Queryable) => Promise<T>): Promise<T> {
    return this.fromEither(snapshot, read, (pool) => whereItIs(pool, snapshot, read));
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
        if (!(error instanceof RowMissing || hasCode(error, TOOK_TOO_LONG)))
          this.restUntilMs = performance.now() + REST_MS;
      }
    }
    this.figures.primary += 1;
    return retryLostRead(
      () => ofPrimary(this.primary),
      (error) => isBehind(error) || isConnectionLost(error),
    );
  }

  /** Called once the server has answered its last request. */
  async onApplicationShutdown(): Promise<void> {
    await this.replica?.end();
  }
}

/** By its token, where that is known: a replica of a server that was lost may have given the number to another snapshot. */
async function expectPublished(asked: Queryable, { gatewayId, id, token }: NamedSnapshot): Promise<void> {
  const { rowCount } = await asked.query({
    name: 'is-published',
    text: `SELECT FROM snapshot WHERE gateway_id = $1 AND id = $2 AND published_at IS NOT NULL AND ($3::text IS NULL OR token = $3)`,
    values: [gatewayId, id, token ?? null],
  });
  if (rowCount === 0) throw new RowMissing(`the snapshot ${id} is not there, or not yet`);
}

/** On one connection: the next one may lead to another server. */
function whereItIs<T>(pool: Pool, snapshot: NamedSnapshot, read: (asked: Queryable) => Promise<T>): Promise<T> {
  return withConnection(pool, async (client, abandon) => {
    try {
      await expectPublished(client, snapshot);
      return await read(client);
    } catch (error) {
      // As the pool does with its own queries that fail.
      abandon();
      throw error;
    }
  });
}

/** Whether a server said that it follows another one, and has not come so far. */
function isBehind(error: unknown): boolean {
  return (error instanceof RowMissing && !(error instanceof RowPruned)) || hasCode(error, CANCELLED);
}

function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}

/** The pool of a replica: one that cannot be reached costs a reader a second, not five. */
export function replicaPool(options: DatabaseOptions): Pool {
  const { Client, ...settings } = connectionSettings({ ...options, statementTimeoutMs: STATEMENT_MS });
  const pool = new Pool({
    ...settings,
    Client: limitedClient(SILENT_MS, Client),
    connectionString: options.url,
    application_name: options.applicationName,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
  });
  // The next read finds out.
  pool.on('error', () => undefined);
  outliveErrors(pool);
  return pool;
}
