import pg from 'pg';
import { clientFor } from '../../../libs/database/src/several-hosts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

// Real: PostgreSQL on one of two hosts; nobody answers on the other. A standby is played by a database that is set to read only.
describe('an address with several hosts', () => {
  let db: TestDatabase;

  beforeAll(async () => {
    db = await createTestDatabase({ isMigrated: false });
  });
  afterAll(() => db.drop());
  afterEach(() => db.query(`ALTER DATABASE ${nameOf(db)} RESET default_transaction_read_only`));

  /** The host that a client finds, or why it finds none. */
  async function found(attributes = ''): Promise<string> {
    // Each its own address: what was found a moment ago is remembered for it.
    const url = `${db.url.replace('@127.0.0.1', '@127.0.0.2,127.0.0.1')}?n=${Math.random()}${attributes}`;
    const pool = new pg.Pool({ connectionString: url, Client: clientFor(url), max: 1 });
    try {
      const client = await pool.connect();
      await client.query('SELECT 1');
      client.release();
      return (client as unknown as pg.Client).host;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    } finally {
      await pool.end();
    }
  }

  it('leads to the one that takes writes', async () => {
    expect([await found(), await found('&target_session_attrs=primary')]).toEqual(['127.0.0.1', '127.0.0.1']);
    expect(await found('&target_session_attrs=standby')).toMatch(/^no server among them|ECONNREFUSED/);
  });

  it('leads to one that can be read while none takes writes, unless it asks for such a one', async () => {
    await db.query(`ALTER DATABASE ${nameOf(db)} SET default_transaction_read_only = on`);
    expect([await found(), await found('&target_session_attrs=standby')]).toEqual(['127.0.0.1', '127.0.0.1']);
    expect(await found('&target_session_attrs=read-write')).toMatch(/^no server among them|ECONNREFUSED/);
  });
});

function nameOf({ url }: TestDatabase): string {
  return new URL(url).pathname.slice(1);
}
