import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { FakeWorker } from './fake-worker';
import { type OpsTerminal, opsTerminal } from './ops-terminal';

// Real: PostgreSQL and the command line, in this process. Fake: the worker that publishes. A spec in
// test/medium/ingest tests the revert itself.
describe('ops gateway snapshots, revert and release', () => {
  let db: TestDatabase;
  let terminal: OpsTerminal;
  let gatewayId: number;
  const PORT = ['--crm', 'kyero', '--client', 'port'];
  const REASON = ['--reason', 'half an export'];

  beforeAll(async () => {
    db = await createTestDatabase();
    terminal = opsTerminal(db.url);
    await terminal.ops('gateway', 'add', ...PORT, '--source', 'https://feeds.example/feed.xml');
    gatewayId = (await db.database.gateways.find('kyero', 'port'))!.id;
    const worker = new FakeWorker(db);
    await worker.run(gatewayId, { listings: ['A', 'B'] });
    await worker.run(gatewayId, { listings: ['A'] });
  });
  afterAll(() => db.drop());

  async function tokens(): Promise<string[]> {
    const { value } = await terminal.json('gateway', 'snapshots', ...PORT);
    return (value as { token: string }[]).map(({ token }) => token);
  }

  it('list the kept snapshots, newest first', async () => {
    const { exitCode, value } = await terminal.json('gateway', 'snapshots', ...PORT);
    expect(exitCode).toBe(0);
    expect(value).toMatchObject([
      { current: true, total: 1, removed: 1, trigger: 'schedule', approved: false },
      { current: false, total: 2, added: 2 },
    ]);
    expect((await terminal.ops('gateway', 'snapshots', ...PORT)).out).toMatch(/TOKEN +PUBLISHED +LISTINGS/);
  });

  it('request a revert, record it, and refuse a snapshot that is not kept', async () => {
    const [served, earlier] = await tokens();
    const wrong = async (...options: string[]): Promise<unknown> =>
      (await terminal.json('gateway', 'revert', ...PORT, ...options)).value;
    expect(await wrong('--to', 'nonsense', ...REASON)).toMatchObject({ error: expect.stringContaining('no snapshot') });
    expect(await wrong('--to', served!, ...REASON)).toMatchObject({
      error: expect.stringContaining('is already served'),
    });
    expect(await wrong('--to', 'previous', '--reason', ' ')).toMatchObject({
      error: expect.stringContaining('--reason'),
    });
    expect(await wrong('--to', 'previous', ...REASON, '--timeout', '1s')).toMatchObject({
      error: '--timeout goes with --wait',
    });
    expect(await db.query(`SELECT 1 FROM run WHERE trigger = 'revert'`)).toEqual([]);

    const { exitCode, value } = await terminal.json('gateway', 'revert', ...PORT, '--to', 'previous', ...REASON);
    expect({ exitCode, value }).toMatchObject({ exitCode: 0, value: { trigger: 'revert', state: 'queued' } });
    expect(await db.query(`SELECT revert_to, revert_reason, asked_by FROM run WHERE trigger = 'revert'`)).toEqual([
      { revert_to: earlier, revert_reason: 'half an export', asked_by: 'cmartin' },
    ]);
    const [audited] = await db.database.audit.list({ limit: 1 });
    expect(audited).toMatchObject({ act: 'gateway revert', after: { snapshot: earlier }, reason: 'half an export' });
  });

  it('end the guard of a revert, and fail when no revert is guarded', async () => {
    const release = ['gateway', 'release', ...PORT, '--reason', 'they have corrected it'] as const;
    expect(await terminal.json(...release)).toMatchObject({ exitCode: 1 });
    await db.query('INSERT INTO revert_guard (gateway_id, snapshot_id) VALUES ($1, 1)', [gatewayId]);
    expect((await terminal.ops('gateway', 'snapshots', ...PORT)).out).toContain('a revert is guarded');
    expect(await terminal.json(...release)).toMatchObject({ exitCode: 0, value: { released: true } });
    expect(await db.database.revertGuards.find(gatewayId)).toBeNull();
    const [audited] = await db.database.audit.list({ limit: 1 });
    expect(audited).toMatchObject({ act: 'gateway release', reason: 'they have corrected it' });
  });
});
