import { once } from 'node:events';
import pg from 'pg';

/** PostgreSQL's class for a lack of resources: a full disk, no memory, no free connection. */
const LACKS_RESOURCES = /^53/;
/** So long a statement waits for an open connection when the server opens no other one. */
const PATIENCE_MS = 5_000;

/**
 * A pool that keeps its connections while the server refuses statements. The driver's own pool closes a connection after each error
 * of a statement, and when it has not been used for ten seconds. A server whose disk is full goes on answering reads on the
 * connections that it has, and opens no other one.
 */
export class SteadyPool extends pg.Pool {
  constructor(options: pg.PoolConfig = {}) {
    super({ ...options, min: options.max ?? 10 });
  }

  override query = (async (statement: pg.QueryConfig, values?: unknown[]): Promise<pg.QueryResult> => {
    const client = await this.connectOrWait();
    // A connection that breaks ends the statement with an error; without a listener its event would end the process.
    client.on('error', ignore);
    let isBroken = true;
    try {
      const result = await client.query(statement, values);
      isBroken = false;
      return result;
    } catch (error) {
      isBroken = !isRefusal(error);
      throw error;
    } finally {
      client.off('error', ignore);
      client.release(isBroken);
    }
  }) as pg.Pool['query'];

  /** @throws what the driver says when there is no connection */
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

function ignore(): void {
  // The statement that was under way has the same error.
}

/** The server has refused a statement; the connection can take the next one. */
function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR';
}

function lacksResources(error: unknown): boolean {
  return error instanceof pg.DatabaseError && LACKS_RESOURCES.test(error.code ?? '');
}
