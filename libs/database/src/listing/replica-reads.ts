import { Pool } from 'pg';
import { type DatabaseOptions, connectionSettings } from '../connection-settings';
import { clientWithTimeout } from '../client-with-timeout';
import { outliveErrors } from '../steady-pool';
import { isConnectionLost } from '../database-failures';
import { retryLostRead } from '../retry-lost-read';
import { withConnection } from '../transaction';
import type { NamedSnapshot } from '../snapshot/read-versions';

/** How long reads avoid the replica after a failure. */
const REST_MS = 10_000;
/** The primary answers faster than this. */
const CONNECTION_TIMEOUT_MS = 1_000;

/** The primary repeats slower reads. A replica that reports no timeout in time counts as unreachable. */
const STATEMENT_MS = 3_000;
const SILENT_MS = 3_500;

/** The row no longer exists, or has not arrived yet. */
export class RowMissing extends Error {}

/** The row no longer exists on any server. */
export class RowPruned extends RowMissing {}

export type Queryable = Pick<Pool, 'query'>;

/** A standby cancels queries that conflict with replication (SQLSTATE serialization_failure). */
const CANCELLED = '40001';
const TOOK_TOO_LONG = '57014';

/** Reads from the replica unless it fails or lacks the snapshot. Repeats a read once: a proxy may lead to a standby. */
export class ReplicaReads {
  /** The number of reads from each server, since the process started. */
  readonly figures = { replica: 0, primary: 0 };
  private restUntilMs = -Infinity;

  constructor(
    private readonly primary: Pool,
    private readonly replica: Pool | null,
  ) {}

  /** Reads texts and order of a published snapshot. @param read throws RowMissing when rows may not have arrived yet */
  async read<T>(snapshot: NamedSnapshot, read: (pool: Pool) => Promise<T>): Promise<T> {
    return this.fromEither(snapshot, read, read);
  }

  /** Reads data committed up to a published snapshot, on a server that has it: missing rows would look like no data. */
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
        // Check before the read, because rows that are on the replica stay there.
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

  /** Nest calls this after the HTTP server has answered its last request. */
  async onApplicationShutdown(): Promise<void> {
    await this.replica?.end();
  }
}

/** Looks for the token if known: after a failover, another snapshot may have the id. @throws RowMissing */
async function expectPublished(asked: Queryable, { gatewayId, id, token }: NamedSnapshot): Promise<void> {
  const { rowCount } = await asked.query({
    name: 'is-published',
    text: `SELECT FROM snapshot WHERE gateway_id = $1 AND id = $2 AND published_at IS NOT NULL AND ($3::text IS NULL OR token = $3)`,
    values: [gatewayId, id, token ?? null],
  });
  if (rowCount === 0) throw new RowMissing(`the snapshot ${id} is not there, or not yet`);
}

/** Checks and reads on one connection, because another connection may lead to another server. */
function whereItIs<T>(pool: Pool, snapshot: NamedSnapshot, read: (asked: Queryable) => Promise<T>): Promise<T> {
  return withConnection(pool, async (client, abandon) => {
    try {
      await expectPublished(client, snapshot);
      return await read(client);
    } catch (error) {
      // Discard the connection, as the pool does after its own queries fail.
      abandon();
      throw error;
    }
  });
}

/** Whether a server is a standby that has not replayed enough yet. */
function isBehind(error: unknown): boolean {
  return (error instanceof RowMissing && !(error instanceof RowPruned)) || hasCode(error, CANCELLED);
}

function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}

/** Opens the pool of a replica. An unreachable replica delays a reader by one second, not five. */
export function replicaPool(options: DatabaseOptions): Pool {
  const { Client, ...settings } = connectionSettings({ ...options, statementTimeoutMs: STATEMENT_MS });
  const pool = new Pool({
    ...settings,
    Client: clientWithTimeout(SILENT_MS, Client),
    connectionString: options.url,
    application_name: options.applicationName,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
  });
  // The next read detects the broken connection.
  pool.on('error', () => undefined);
  outliveErrors(pool);
  return pool;
}
