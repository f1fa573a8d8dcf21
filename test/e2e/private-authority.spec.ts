import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { startTlsFront } from '../medium/database/tls-front';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const AUTHORITY = join(__dirname, '..', 'medium', 'transport', '__fixtures__', 'authority.pem');

// Real: the migration as built, PostgreSQL, TLS with a certificate of a private authority.
describe('a database whose certificate a private authority signed', () => {
  let db: TestDatabase;
  let front: Awaited<ReturnType<typeof startTlsFront>>;
  beforeAll(async () => {
    db = await createTestDatabase({ isMigrated: false });
    front = await startTlsFront(db.url);
  });
  afterAll(async () => {
    await front.stop();
    await db.drop();
  });

  async function migrate(authority: object): Promise<{ code: unknown; stderr: string }> {
    const url = new URL(front.url);
    url.hostname = 'localhost';
    url.searchParams.set('sslmode', 'verify-full');
    const child = spawn(process.execPath, ['dist/tools/migrate.js'], {
      env: { ...process.env, NODE_EXTRA_CA_CERTS: undefined, ...authority, DATABASE_URL: url.href },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    return { code, stderr };
  }

  it('is refused with `verify-full`, and nothing is changed', async () => {
    expect(await migrate({})).toEqual({ code: 1, stderr: expect.stringMatching(/certificate/) as string });
    expect(await db.query(`SELECT FROM pg_tables WHERE tablename = 'schema_migration'`)).toEqual([]);
  });

  it('is accepted when NODE_EXTRA_CA_CERTS names the authority, as `customCA` of the chart does', async () => {
    expect(await migrate({ NODE_EXTRA_CA_CERTS: AUTHORITY })).toEqual({ code: 0, stderr: '' });
  });
});
