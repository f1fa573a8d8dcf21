import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { FakeWorker } from './fake-worker';
import { type OpsTerminal, opsTerminal } from './ops-terminal';

const NAME = ['--crm', 'kyero', '--client', 'port'];
const HELD = { state: 'held' as const, reasonCode: 'vanished', reason: 'too few' };
const anyTime: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);

// Real: PostgreSQL and the command line, in this process. Fake: the connectors and the worker.
describe('ops why', () => {
  let db: TestDatabase;
  let terminal: OpsTerminal;
  let worker: FakeWorker;
  let gatewayId: number;

  beforeEach(async () => {
    db = await createTestDatabase();
    terminal = opsTerminal(db.url);
    worker = new FakeWorker(db);
    await terminal.json('gateway', 'add', ...NAME, '--source', 'https://crm.example/feed.xml');
    gatewayId = (await db.database.gateways.find('kyero', 'port'))!.id;
  });
  afterEach(async () => {
    await db.drop();
  });

  async function why(id: string): Promise<unknown> {
    const { exitCode, value } = await terminal.json('why', ...NAME, '--id', id);
    expect(exitCode).toBe(0);
    return value;
  }

  it('finds a served listing by affId and by affNum, wherever it stands', async () => {
    const listings = Array.from({ length: 450 }, (_, index) => `A${index + 1}`);
    const run = await worker.run(gatewayId, { listings });
    const snapshot = (await db.database.gateways.find('kyero', 'port'))!.snapshotId;
    const found = {
      ...{
        crm: 'kyero',
        client: 'port',
        state: 'listed',
        aff_id: 'A401',
        position: 401,
        snapshot,
        since: anyTime,
        run,
      },
      explanation: `It is number 401 of the 450 that are served, in snapshot ${snapshot}; added by run ${run}.`,
      change: { kind: 'added', run, snapshot, at: anyTime },
    };
    expect(await why('A401')).toEqual({ id: 'A401', ...found });
    expect(await why('ref A401')).toEqual({ id: 'ref A401', ...found });
    expect(await why('A1')).toMatchObject({ position: 1 });
    expect(await why('A200')).toMatchObject({ position: 200 });
    expect(await why('A201')).toMatchObject({ position: 201 });
    expect(await why('A450')).toMatchObject({ position: 450 });
  });

  it('names the run that removed it, also when its snapshots are long gone', async () => {
    await worker.run(gatewayId, { listings: ['A', 'B'] });
    const run = await worker.run(gatewayId, { listings: ['A'] });
    await worker.run(gatewayId, { listings: ['A', 'C'] });
    const removed = { state: 'removed', run, since: anyTime, change: { kind: 'removed', run } };
    expect(await why('B')).toMatchObject(removed);
    expect(await why('ref B')).toMatchObject(removed);
    await db.query(`UPDATE snapshot SET published_at = published_at - interval '1 day'`);
    await worker.run(gatewayId, { listings: ['A', 'C', 'D'] });
    expect(await db.database.pruneSnapshots(gatewayId)).toBeGreaterThan(0);
    expect(await why('B')).toMatchObject(removed);
  });

  it('shows the rejection behind a listing that is not there', async () => {
    const rejection = {
      position: 2,
      recordId: 'B',
      field: 'price',
      code: 'invalid_value' as const,
      message: 'no number',
    };
    const run = await worker.run(gatewayId, { listings: ['A'], rejections: [rejection] });
    expect(await why('B')).toEqual({
      ...{ id: 'B', crm: 'kyero', client: 'port', state: 'rejected', since: anyTime, run },
      explanation: `Run ${run} rejected its record 2 (field price): no number.`,
      rejection: {
        run,
        position: 2,
        id: 'B',
        field: 'price',
        reason: 'invalid_value',
        message: 'no number',
        excerpt: null,
      },
    });
  });

  it('tells a withdrawn listing from a rejected one', async () => {
    await worker.run(gatewayId, { listings: ['A', 'B'] });
    const rejection = { position: 2, recordId: 'B', code: 'withdrawn' as const, message: 'sold' };
    const run = await worker.run(gatewayId, { listings: ['A'], rejections: [rejection] });
    expect(await why('ref B')).toMatchObject({ state: 'withdrawn', run, change: { kind: 'removed', run } });
  });

  it('knows what a held run would do, and what a discarded one would have done no more', async () => {
    await worker.run(gatewayId, { listings: ['A', 'B'] });
    const run = await worker.run(gatewayId, { listings: ['A', 'C'] }, HELD);
    expect(await why('C')).toMatchObject({
      state: 'held',
      run,
      explanation: `Run ${run} found it, and is held: too few.`,
    });
    expect(await why('B')).toMatchObject({
      state: 'listed',
      explanation: expect.stringContaining(`; run ${run}, which is held, has it removed.`),
    });
    await terminal.json('run', 'discard', String(run), '--reason', 'x');
    expect(await why('C')).toMatchObject({ state: 'unknown' });
    expect(await why('B')).toMatchObject({ explanation: expect.not.stringContaining('held') });
  });

  it('dates a change that was held by its publication', async () => {
    const run = await worker.run(gatewayId, { listings: ['A'] }, HELD);
    await db.query(`UPDATE listing_change SET at = at - interval '1 day'`);
    await terminal.json('run', 'publish', String(run), '--reason', 'x');
    const { since } = (await why('A')) as { since: string };
    expect(Date.now() - Date.parse(since)).toBeLessThan(60_000);
  });

  it('says that it has never met it', async () => {
    expect(await why('nobody')).toEqual({
      ...{ id: 'nobody', crm: 'kyero', client: 'port', state: 'unknown' },
      explanation: 'No run of this gateway has read a record yet.',
    });
    const run = await worker.run(gatewayId, { listings: ['A'] });
    expect(await why('nobody')).toMatchObject({
      explanation: expect.stringContaining(`the last to read is run ${run}`),
    });
  });

  it('never looks into another gateway', async () => {
    await worker.run(gatewayId, {
      listings: ['A'],
      rejections: [{ position: 2, recordId: 'B', code: 'malformed', message: 'x' }],
    });
    await terminal.json('gateway', 'add', '--crm', 'kyero', '--client', 'other', '--source', 'https://crm.example/b');
    for (const id of ['A', 'ref A', 'B']) {
      const { value } = await terminal.json('why', '--crm', 'kyero', '--client', 'other', '--id', id);
      expect(value).toMatchObject({ state: 'unknown' });
    }
  });

  it('reads well', async () => {
    await worker.run(gatewayId, { listings: ['A'] });
    expect((await terminal.ops('why', ...NAME, '--id', 'A')).out).toMatch(
      /^A {2}kyero\/port\n {2}state +listed\n {2}why +It is number 1 of the 1 that are served/,
    );
  });
});
