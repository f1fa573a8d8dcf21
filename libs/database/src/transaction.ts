import type { Pool, PoolClient } from 'pg';

/** Runs `work` in one transaction on one connection: committed when it returns, rolled back when it throws. */
export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  return withConnection(pool, async (client, abandon) => {
    try {
      await client.query('BEGIN');
      const result = await work(client);
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch(abandon);
      throw error;
    }
  });
}

/**
 * Lends one connection to `work`. One that breaks meanwhile fails its queries; like one that `work` abandons, it is
 * closed then, and not given to anyone else.
 */
export async function withConnection<T>(
  pool: Pool,
  work: (client: PoolClient, abandon: () => void) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let isBroken = false;
  const abandon = (): void => {
    isBroken = true;
  };
  // Also between two queries, when nobody else listens: Node ends a process for an error without a listener.
  client.on('error', abandon);
  try {
    return await work(client, abandon);
  } finally {
    client.off('error', abandon);
    client.release(isBroken);
  }
}
