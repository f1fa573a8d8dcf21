import { once } from 'node:events';
import pg from 'pg';

/** PostgreSQL's error class for insufficient resources: a full disk, no memory, no free connection. */
const LACKS_RESOURCES = /^53/;
/** How long a statement waits for an open connection when the server refuses new ones. */
const PATIENCE_MS = 5_000;

/** Keeps connections open: with a full disk, a server reads on its open connections, but opens no new ones. */
export class SteadyPool extends pg.Pool {
  constructor(options: pg.PoolConfig = {}) {
    super({ ...options, min: options.max ?? 10 });
    outliveErrors(this);
  }

  override query = (async (statement: pg.QueryConfig, values?: unknown[]): Promise<pg.QueryResult> => {
    const client = await this.connectOrWait();
    let isBroken = true;
    try {
      const result = await client.query(statement, values);
      isBroken = false;
      return result;
    } catch (error) {
      isBroken = !isRefusal(error);
      throw error;
    } finally {
      client.release(isBroken);
    }
  }) as pg.Pool['query'];

  /** @throws the driver's error when no connection is available */
  private async connectOrWait(): Promise<pg.PoolClient> {
    for (const until = performance.now() + PATIENCE_MS; ;) {
      try {
        return await this.connect();
      } catch (error) {
        const leftMs = until - performance.now();
        if (!lacksResources(error) || this.totalCount === 0 || leftMs <= 0) throw error;
        if (this.idleCount === 0)
          await once(this, 'release', { signal: AbortSignal.timeout(Math.ceil(leftMs)) }).catch(() => undefined);
      }
    }
  }
}

/** The driver's pool listens only on idle connections: an error with the greeting would end the process. */
export function outliveErrors(pool: pg.Pool): void {
  pool.on('connect', (client) => {
    client.on('error', ignore);
  });
}

function ignore(): void {
  // The current statement fails with the same error.
}

/** Whether the server refused a statement, so that the connection can execute the next one. */
function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR';
}

function lacksResources(error: unknown): boolean {
  return error instanceof pg.DatabaseError && LACKS_RESOURCES.test(error.code ?? '');
}
