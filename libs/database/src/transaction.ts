import type { Pool, PoolClient } from 'pg';

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

/** Closes a connection that is broken or abandoned by `work`; returns every other connection to the pool. */
export async function withConnection<T>(
  pool: Pool,
  work: (client: PoolClient, abandon: () => void) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let isBroken = false;
  const abandon = (): void => {
    isBroken = true;
  };
  // Without this listener, a connection that breaks between two queries would end the process.
  client.on('error', abandon);
  try {
    return await work(client, abandon);
  } finally {
    client.off('error', abandon);
    client.release(isBroken);
  }
}
