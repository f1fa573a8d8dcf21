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

  it('finds a served listing by affId and by affNum, at any position', async () => {
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

  it('searches all gateways when none is named, those that serve the listing first', async () => {
    await terminal.json('gateway', 'add', '--crm', 'apimo', '--client', 'gare', ...['--source', 'https://crm.example']);
    const other = (await db.database.gateways.find('apimo', 'gare'))!.id;
    await worker.run(gatewayId, { listings: ['A', 'B'] });
    await worker.run(gatewayId, { listings: ['A'] });
    await worker.run(other, { listings: ['B'] });
    const { exitCode, value } = await terminal.json('why', '--id', 'B');
    expect(exitCode).toBe(0);
    expect(value).toMatchObject([
      { crm: 'apimo', client: 'gare', state: 'listed' },
      { crm: 'kyero', client: 'port', state: 'removed' },
    ]);
    expect(await terminal.json('why', '--id', 'Z')).toMatchObject({ exitCode: 1 });
    expect(await terminal.json('why', '--id', 'B', '--crm', 'kyero')).toMatchObject({ exitCode: 2 });
  });

  it("names the run that removed the listing, even when the listing's snapshots are gone", async () => {
    await worker.run(gatewayId, { listings: ['A', 'B'] });
    const run = await worker.run(gatewayId, { listings: ['A'] });
    await worker.run(gatewayId, { listings: ['A', 'C'] });
    const removed = { state: 'removed', run, since: anyTime, change: { kind: 'removed', run } };
    expect(await why('B')).toMatchObject(removed);
    expect(await why('ref B')).toMatchObject(removed);
    for (const id of ['D', 'E', 'F', 'G']) await worker.run(gatewayId, { listings: ['A', 'C', id] });
    await db.query(`UPDATE snapshot SET published_at = published_at - interval '4 days'`);
    expect(await db.database.snapshots.prune(gatewayId)).toBeGreaterThan(0);
    expect(await why('B')).toMatchObject(removed);
  });

  it('shows the rejection of a missing listing', async () => {
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

  it('finds a record without an identifier by a whole word of its excerpt, also after unchanged runs', async () => {
    const nameless = (position: number, excerpt: string) => ({
      ...{ position, code: 'missing_id' as const, field: 'id', message: 'the record has no identifier', excerpt },
    });
    const run = await worker.run(gatewayId, {
      listings: ['A'],
      rejections: [nameless(2, '<reference>MZ-10425</reference>'), nameless(3, '<reference>mz-1042</reference>')],
    });
    await worker.run(gatewayId, { listings: [] }, { state: 'unchanged' });
    expect(await why('MZ-1042')).toMatchObject({
      ...{ state: 'rejected', run, rejection: { position: 3, id: null } },
      explanation: expect.stringMatching(/^Run \d+ rejected record 3, which has no identifier and contains this text/),
    });
    expect(await why('MZ-104')).toMatchObject({ state: 'unknown', last_read: anyTime });
  });

  it('names an operator who went back to an earlier list as the cause of a removal', async () => {
    await worker.run(gatewayId, { listings: ['A', 'B'] });
    const run = await worker.run(gatewayId, { listings: ['A'] });
    expect(await why('B')).toMatchObject({ state: 'removed', cause: 'absent' });
    await db.query(`UPDATE run SET trigger = 'revert' WHERE id = $1`, [run]);
    expect(await why('B')).toMatchObject({ state: 'removed', cause: 'revert' });
  });

  it('distinguishes a withdrawn listing from a rejected one', async () => {
    await worker.run(gatewayId, { listings: ['A', 'B'] });
    const rejection = { position: 2, recordId: 'B', code: 'withdrawn' as const, message: 'sold' };
    const run = await worker.run(gatewayId, { listings: ['A'], rejections: [rejection] });
    expect(await why('ref B')).toMatchObject({ state: 'withdrawn', run, change: { kind: 'removed', run } });
  });

  it('shows the effect of a held run, but not of a discarded run', async () => {
    await worker.run(gatewayId, { listings: ['A', 'B'] });
    const run = await worker.run(gatewayId, { listings: ['A', 'C'] }, HELD);
    expect(await why('C')).toMatchObject({
      state: 'held',
      run,
      explanation: `Run ${run} found it, and is held: too few.`,
    });
    expect(await why('B')).toMatchObject({
      state: 'listed',
      explanation: expect.stringContaining(`; run ${run} is held, and marks it as removed.`),
    });
    await terminal.json('run', 'discard', String(run), '--reason', 'x');
    expect(await why('C')).toMatchObject({ state: 'unknown' });
    expect(await why('B')).toMatchObject({ explanation: expect.not.stringContaining('held') });
  });

  it('treats an unfinished or held run as unpublished', async () => {
    await worker.run(gatewayId, { listings: ['A', 'B'] });
    const found = { listings: ['A', 'C'] };
    const run = await worker.run(gatewayId, found, HELD);
    expect(await why('B')).toMatchObject({ state: 'listed', change: { kind: 'added' } });
    const changes = (id: string) => db.database.traces.changes(gatewayId, id, 9);
    expect(await changes('B')).toMatchObject([{ change: 'added' }]);
    expect(await changes('C')).toEqual([]);
    await db.query(`UPDATE run SET state = 'running' WHERE id = $1`, [run]);
    expect(await why('B')).toMatchObject({
      change: { kind: 'added' },
      explanation: expect.not.stringContaining('held'),
    });
    expect(await why('C')).toMatchObject({ state: 'unknown' });
  });

  it('ignores dry runs', async () => {
    const rejection = { position: 2, recordId: 'C', code: 'malformed' as const, message: 'x' };
    const real = await worker.run(gatewayId, { listings: ['A'] });
    await db.database.runRequests.request({ gatewayId, trigger: 'ops', dryRun: true });
    await worker.takeUp(gatewayId, { listings: ['A', 'B'], rejections: [rejection] });
    expect(await why('C')).toMatchObject({ state: 'unknown', explanation: expect.stringContaining(`run ${real}`) });

    const held = await worker.run(gatewayId, { listings: ['A', 'B'] }, HELD);
    expect(await why('B')).toMatchObject({ state: 'held' });
    await db.query('UPDATE run SET dry_run = true WHERE id = $1', [held]);
    expect(await why('B')).toMatchObject({ state: 'unknown' });
  });

  it('dates a change in a held run to the publication of the run', async () => {
    const run = await worker.run(gatewayId, { listings: ['A'] }, HELD);
    await db.query(`UPDATE listing_change SET at = at - interval '1 day'`);
    await terminal.json('run', 'publish', String(run), '--reason', 'x');
    const { since } = (await why('A')) as { since: string };
    expect(Date.now() - Date.parse(since)).toBeLessThan(60_000);
  });

  it('reports that the listing is unknown, and which run last read the feed', async () => {
    expect(await why('nobody')).toEqual({
      ...{ id: 'nobody', crm: 'kyero', client: 'port', state: 'unknown' },
      explanation: 'No run of this gateway has read a record yet.',
    });
    const run = await worker.run(gatewayId, { listings: ['A'] });
    expect(await why('nobody')).toMatchObject({
      explanation: expect.stringContaining(`the last run that read the feed is run ${run}`),
    });
  });

  it('explains why a gateway is not served, and why its runs fail', async () => {
    await worker.run(gatewayId, { listings: ['A'] });
    const failed = { state: 'failed' as const, reasonCode: 'access_refused', reason: 'the source answered 401' };
    await worker.run(gatewayId, { listings: [] }, failed);
    await db.database.schedule.noteFailure(gatewayId, () => 60_000);
    await terminal.json('gateway', 'set', ...NAME, '--contract-end', '2020-12-31');
    const { explanation } = (await why('A')) as { explanation: string };
    expect(explanation).toMatch(
      /^It is number 1 of .*\. The gateway is not served: its contract ended on 2020-12-31\. Every run has failed since \d{4}-\d\d-\d\dT.*: the source answered 401\.$/,
    );
    await terminal.json('gateway', 'set', ...NAME, '--contract-end', 'none');
    await db.database.schedule.noteSuccess(gatewayId, 3_600);
    expect(await why('A')).toMatchObject({ explanation: expect.not.stringMatching(/not served|failed/) });
  });

  it('refuses an unknown gateway', async () => {
    const { exitCode, value } = await terminal.json('why', '--crm', 'kyero', '--client', 'nobody', '--id', 'A');
    expect({ exitCode, value }).toEqual({ exitCode: 1, value: { error: 'there is no gateway kyero/nobody' } });
  });

  it('names an unreachable database without the password', async () => {
    const away = opsTerminal('postgres://operator:geheim@127.0.0.1:1/passerelle');
    const { exitCode, value } = await away.json('why', ...NAME, '--id', 'A');
    const error: unknown = expect.stringMatching(/^the database at 127\.0\.0\.1:1 cannot be used: .*ECONNREFUSED/);
    expect({ exitCode, value }).toEqual({ exitCode: 1, value: { error } });
    expect(JSON.stringify(value)).not.toContain('geheim');
  });

  it('searches only the named gateway', async () => {
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

  it('prints readable text', async () => {
    await worker.run(gatewayId, { listings: ['A'] });
    expect((await terminal.ops('why', ...NAME, '--id', 'A')).out).toMatch(
      /^A {2}kyero\/port\n {2}state +listed\n {2}why +It is number 1 of the 1 that are served/,
    );
  });
});
