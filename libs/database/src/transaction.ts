import type { Pool, PoolClient } from 'pg';

/**
 * Runs `work` in one transaction on one connection. The transaction is committed when `work` returns, and rolled back
 * when it throws.
 */
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
 * Lends one connection to `work`. A connection that breaks, or that `work` abandons, is closed afterwards instead of
 * returning to the pool.
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
  // The connection may break between two queries, when no other listener is present: without a listener the error would
  // end the process.
  client.on('error', abandon);
  try {
    return await work(client, abandon);
  } finally {
    client.off('error', abandon);
    client.release(isBroken);
  }
}
