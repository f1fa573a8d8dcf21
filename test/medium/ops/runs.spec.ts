import type { HeldListings } from '@passerelle/database';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { FakeWorker } from './fake-worker';
import { type OpsTerminal, opsTerminal } from './ops-terminal';
import { versionsOf } from '../../support/versions-of';

const anyTime: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
const NAME = ['--crm', 'kyero', '--client', 'port'];

const VANISHED = {
  code: 'vanished' as const,
  message: '2 of 3 listings would vanish',
  figures: { before: 3, removed: 2 },
};
const HELD = { state: 'held' as const, reasonCode: 'vanished', reason: VANISHED.message, verdict: [VANISHED] };

// Real: PostgreSQL and the command line, in this process. Fake: the connectors and the worker.
describe('ops', () => {
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

  /** Does the work of a worker as soon as a run is queued. */
  async function whenQueued<T>(work: () => Promise<T>): Promise<T> {
    while ((await db.query(`SELECT 1 FROM run WHERE state = 'queued'`)).length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return work();
  }

  async function served(): Promise<string[]> {
    const gateway = await db.database.gateways.find('kyero', 'port');
    if (gateway!.snapshotId === null) return [];
    return (await versionsOf(db.database, gateway!.id, gateway!.snapshotId)).map(({ affId }) => affId);
  }

  describe('ingest', () => {
    it('prints the requested run', async () => {
      expect(await terminal.json('ingest', ...NAME)).toEqual({
        exitCode: 0,
        err: '',
        value: {
          ...{ id: 1, crm: 'kyero', client: 'port', trigger: 'ops', state: 'queued', started_at: null, ended_at: null },
          ...{ fetched_bytes: 0, records: 0, added: 0, changed: 0, unchanged: 0, removed: 0, rejected: 0, warnings: 0 },
          ...{ snapshot: null, reason: null },
        },
      });
      expect((await terminal.json('ingest', ...NAME)).value).toMatchObject({ id: 1, state: 'queued' });
      expect((await terminal.json('run', 'show', '1')).value).toMatchObject({ place: 1 });
      expect((await terminal.ops('run', 'show', '1')).out).toMatch(/\n +place +1 among/);
    });

    it('waits for the end of a dry run, and records the operator who used --force', async () => {
      const [dry] = await Promise.all([
        terminal.json('ingest', ...NAME, '--dry-run', '--force'),
        whenQueued(() => worker.takeUp(gatewayId, { listings: ['A'] })),
      ]);
      expect(dry).toMatchObject({
        exitCode: 0,
        value: { dry_run: true, forced: true, state: 'published', decided_by: 'cmartin', rejections: 0 },
      });
    });

    it('waits for the end of the run, and prints the run', async () => {
      const [waited] = await Promise.all([
        terminal.json('ingest', ...NAME, '--wait'),
        whenQueued(() => worker.takeUp(gatewayId, { listings: ['A', 'B'] })),
      ]);
      expect(waited).toEqual({
        exitCode: 0,
        err: '',
        value: {
          ...{ id: 1, crm: 'kyero', client: 'port', trigger: 'ops', state: 'published' },
          ...{ started_at: anyTime, ended_at: anyTime, fetched_bytes: 1000, records: 2, added: 2, changed: 0 },
          ...{ unchanged: 0, removed: 0, rejected: 0, warnings: 0, snapshot: expect.any(Number), reason: null },
        },
      });
    });

    it('fails when the run is held, and still prints the run', async () => {
      await worker.run(gatewayId, { listings: ['A', 'B', 'C'] });
      const [waited] = await Promise.all([
        terminal.json('ingest', ...NAME, '--wait'),
        whenQueued(() => worker.takeUp(gatewayId, { listings: ['A'] }, HELD)),
      ]);
      expect(waited).toMatchObject({
        exitCode: 1,
        value: {
          state: 'held',
          reason: '2 of 3 listings would vanish',
          error: 'run 2 held: 2 of 3 listings would vanish',
        },
      });
      expect(await served()).toEqual(['A', 'B', 'C']);
    });

    it('says on one line of stderr why the exit code is 1', async () => {
      const [waited] = await Promise.all([
        terminal.ops('ingest', ...NAME, '--wait'),
        whenQueued(() =>
          worker.takeUp(gatewayId, { listings: [] }, { state: 'failed', reason: 'the CRM answered 503' }),
        ),
      ]);
      expect(waited.exitCode).toBe(1);
      expect(waited.out).toMatch(/^run 1 {2}kyero\/port\n {2}state +failed\n {2}reason +the CRM answered 503\n/);
      expect(waited.err).toBe('error: run 1 failed: the CRM answered 503\n');
    });

    it('shows progress only on a terminal', async () => {
      const tty = opsTerminal(db.url, { isTty: true });
      const [waited] = await Promise.all([
        tty.json('ingest', ...NAME, '--wait'),
        whenQueued(() => worker.takeUp(gatewayId, { listings: ['A'] })),
      ]);
      // The run may start before the command's first output.
      expect(waited.err).toMatch(/^\r\x1b\[Krun 1 (queued|running), \d+ s\r[^]*\r\x1b\[K$/);
    });

    it('stops waiting after the time limit, while the run continues', async () => {
      expect(await terminal.json('ingest', ...NAME, '--wait', '--timeout', '1s')).toMatchObject({
        exitCode: 1,
        value: { id: 1, state: 'queued', error: 'stopped waiting: the time of --timeout is over: run 1 goes on' },
      });
      expect((await db.database.runHistory.find(1))!.state).toBe('queued');
    });

    it('stops waiting at Ctrl-C, while the run continues', async () => {
      const interruption = new AbortController();
      const waiting = opsTerminal(db.url, { interrupted: interruption.signal }).json('ingest', ...NAME, '--wait');
      await whenQueued(() => {
        interruption.abort();
        return Promise.resolve();
      });
      expect(await waiting).toMatchObject({ exitCode: 1, value: { error: 'no longer waiting: run 1 goes on' } });
      expect((await db.database.runHistory.find(1))!.state).toBe('queued');
    });

    it('refuses a gateway that is disabled or past its contract', async () => {
      await terminal.json('gateway', 'disable', ...NAME);
      expect(await terminal.json('ingest', ...NAME)).toEqual({
        exitCode: 1,
        value: { error: 'the gateway kyero/port does not run: it is disabled' },
        err: '',
      });
      await terminal.json('gateway', 'enable', ...NAME);
      await terminal.json('gateway', 'set', ...NAME, '--contract-end', '2001-01-01');
      expect((await terminal.json('ingest', ...NAME)).value).toEqual({
        error: 'the gateway kyero/port does not run: its contract ended on 2001-01-01',
      });
      expect((await terminal.json('ingest', '--all')).value).toEqual([]);
      expect(await db.database.runHistory.list({ limit: 5 })).toEqual([]);
    });

    it('--all requests a run of every active gateway', async () => {
      await terminal.json('gateway', 'add', '--crm', 'kyero', '--client', 'other', '--source', 'https://crm.example/b');
      const { exitCode, value } = await terminal.json('ingest', '--all');
      expect(exitCode).toBe(0);
      expect(value).toMatchObject([
        { client: 'other', state: 'queued', trigger: 'ops' },
        { client: 'port', state: 'queued', trigger: 'ops' },
      ]);
    });

    it('--all --wait fails when one of the runs fails', async () => {
      await terminal.json('gateway', 'add', '--crm', 'kyero', '--client', 'other', '--source', 'https://crm.example/b');
      const other = (await db.database.gateways.find('kyero', 'other'))!.id;
      const waiting = terminal.ops('ingest', '--all', '--wait', '--json');
      while ((await db.query(`SELECT 1 FROM run WHERE state = 'queued'`)).length < 2) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      await worker.takeUp(gatewayId, { listings: ['A'] });
      await worker.takeUp(other, { listings: [] }, { state: 'failed', reason: 'gone' });
      const { exitCode, out } = await waiting;
      expect(exitCode).toBe(1);
      expect(JSON.parse(out)).toMatchObject([
        { client: 'other', state: 'failed' },
        { client: 'port', state: 'published' },
      ]);
    });
  });

  it('runs lists the runs of one gateway or of all gateways, newest first', async () => {
    await worker.run(gatewayId, { listings: ['A'] });
    await worker.run(gatewayId, { listings: [] }, { state: 'failed', reason: 'no answer' });
    expect((await terminal.json('runs')).value).toMatchObject([
      { id: 2, state: 'failed', reason: 'no answer' },
      { id: 1, state: 'published' },
    ]);
    expect((await terminal.json('runs', ...NAME, '--limit', '1')).value).toMatchObject([{ id: 2 }]);
    expect((await terminal.json('runs', '--crm', 'kyero')).value).toHaveLength(2);
    expect((await terminal.json('runs', '--crm', 'apimo')).value).toEqual([]);
    await db.query(`UPDATE run SET requested_at = now() - interval '3 hours' WHERE id = 1`);
    expect((await terminal.json('runs', '--since', '2h')).value).toMatchObject([{ id: 2 }]);
    expect((await terminal.json('runs', '--since', '2001-01-01')).value).toHaveLength(2);
    expect(await terminal.json('runs', '--since', 'yesterday')).toMatchObject({ exitCode: 2 });
    expect(await terminal.json('runs', '--client', 'port')).toMatchObject({ exitCode: 2 });
    expect((await terminal.ops('runs')).out).toMatch(/^RUN +GATEWAY +TRIGGER +STATE/);
    expect((await terminal.json('runs', '--crm', 'kyero', '--client', 'nobody')).value).toEqual({
      error: 'there is no gateway kyero/nobody',
    });
  });

  it('rejections lists the records that did not become listings, with the reasons', async () => {
    const run = await worker.run(gatewayId, {
      listings: ['A'],
      rejections: [
        {
          position: 2,
          recordId: 'B',
          field: 'price',
          code: 'invalid_value',
          message: 'no number',
          excerpt: '<price>x',
        },
        { position: 5, code: 'malformed', message: 'cut in the middle' },
      ],
    });
    expect(await terminal.json('rejections', '--run', String(run))).toEqual({
      exitCode: 0,
      err: '',
      value: [
        { position: 2, id: 'B', field: 'price', reason: 'invalid_value', message: 'no number', excerpt: '<price>x' },
        { position: 5, id: null, field: null, reason: 'malformed', message: 'cut in the middle', excerpt: null },
      ],
    });
    expect(await terminal.json('rejections', '--run', '99')).toEqual({
      exitCode: 1,
      value: { error: 'there is no run 99: old runs are deleted, and unchanged runs are merged into one line per day' },
      err: '',
    });
  });

  it('run show explains a run completely', async () => {
    await worker.run(gatewayId, { listings: ['A', 'B', 'C'] });
    const rejections = [{ position: 2, recordId: 'B', code: 'invalid_value' as const, message: 'no number' }];
    const id = await worker.run(gatewayId, { listings: ['A'], rejections }, HELD);
    const [{ fence }] = (await db.query<{ fence: number }>('SELECT fence::int FROM run WHERE id = $1', [id])) as [
      { fence: number },
    ];
    await db.database.runNotes.addWarnings({ id, fence }, [
      { code: 'unknown_word', field: 'type', value: 'yurt', count: 3, examples: ['A'] },
    ]);
    const { value } = await terminal.json('run', 'show', String(id));
    expect(value).toEqual({
      ...{
        id,
        crm: 'kyero',
        client: 'port',
        trigger: 'schedule',
        state: 'held',
        started_at: anyTime,
        ended_at: anyTime,
      },
      ...{ fetched_bytes: 1000, records: 2, added: 0, changed: 0, unchanged: 1, removed: 2, rejected: 1, warnings: 0 },
      ...{ snapshot: expect.any(Number), reason: '2 of 3 listings would vanish', requested_at: anyTime, attempts: 1 },
      ...{ cancel_requested: false, reason_code: 'vanished', verdict: [VANISHED], base_snapshot: expect.any(Number) },
      ...{ decided_by: null, decided_at: null, decision_reason: null, asked_by: null, request_id: null },
      ...{ rejections: 1, rejections_by_reason: { invalid_value: 1 } },
      would: { added: [], changed: [], removed: ['B', 'C'].map((aff_id) => ({ aff_id, title: null })) },
      duties_missing: {},
      worker: 'a fake worker',
      log: null,
      warning_list: [{ code: 'unknown_word', field: 'type', value: 'yurt', count: 3, examples: ['A'] }],
    });
    const { out } = await terminal.ops('run', 'show', String(id));
    expect(out).toContain('vanished: 2 of 3 listings would vanish');
    expect(out).toContain('yurt');
    expect((await terminal.json('run', 'show', '99')).value).toEqual({
      error: 'there is no run 99: old runs are deleted, and unchanged runs are merged into one line per day',
    });
  });

  it('run show names the changed listings of a held run: the first 50 of each kind, or all with --all', async () => {
    const many = Array.from({ length: 60 }, (_, n) => `L${String(n).padStart(2, '0')}`);
    await worker.run(gatewayId, { listings: ['A', ...many] });
    const id = await worker.run(gatewayId, { listings: ['A', 'D'] }, HELD);
    const shown = async (...more: string[]) =>
      ((await terminal.json('run', 'show', String(id), ...more)).value as { would: HeldListings }).would;
    const would = await shown();
    expect(would.added).toEqual([{ aff_id: 'D', title: null }]);
    expect(would.changed).toEqual([]);
    expect(would.removed.map(({ aff_id }) => aff_id)).toEqual(many.slice(0, 50));
    expect((await shown('--all')).removed.map(({ aff_id }) => aff_id)).toEqual(many);
    const { out } = await terminal.ops('run', 'show', String(id));
    expect(out).toContain(`L49 and 10 more: run show ${id} --all`);
  });

  it('run publish-all publishes the runs that are held only for mapping_changed, with one reason', async () => {
    const remapped = {
      code: 'mapping_changed' as const,
      message: '2 of 3 listings are sold',
      figures: { withdrawn: 2 },
    };
    const HELD_FOR_MAPPING = { state: 'held' as const, reasonCode: remapped.code, reason: remapped.message };
    const others: number[] = [];
    for (const client of ['one', 'two', 'both']) {
      await terminal.json(
        'gateway',
        'add',
        '--crm',
        'kyero',
        '--client',
        client,
        '--source',
        'https://crm.example/x.xml',
      );
      const { id } = (await db.database.gateways.find('kyero', client))!;
      await worker.run(id, { listings: ['A', 'B', 'C'] });
      const verdict = client === 'both' ? [remapped, VANISHED] : [remapped];
      others.push(await worker.run(id, { listings: ['A'] }, { ...HELD_FOR_MAPPING, verdict }));
    }
    await worker.run(gatewayId, { listings: ['A', 'B', 'C'] });
    await worker.run(gatewayId, { listings: ['A'] }, HELD);
    const { value } = await terminal.json('run', 'publish-all', '--reason', 'sold listings leave');
    expect(value).toEqual({ published: others.slice(0, 2), refused: [] });
    const states = await db.query<{ state: string; reason: string | null }>(
      'SELECT state, decision_reason AS reason FROM run WHERE id = ANY ($1) ORDER BY id',
      [others],
    );
    expect(states).toEqual([
      { state: 'published', reason: 'sold listings leave' },
      { state: 'published', reason: 'sold listings leave' },
      { state: 'held', reason: null },
    ]);
    expect(await served()).toEqual(['A', 'B', 'C']);
  });

  describe('run publish', () => {
    it('publishes a held run, and records the operator and the reason', async () => {
      await worker.run(gatewayId, { listings: ['A', 'B', 'C'] });
      const id = await worker.run(gatewayId, { listings: ['A', 'D'] }, HELD);
      const { exitCode, value } = await terminal.json('run', 'publish', String(id), '--reason', 'two offices closed');
      expect(exitCode).toBe(0);
      expect(value).toMatchObject({
        ...{ id, state: 'published', snapshot: expect.any(Number), reason: '2 of 3 listings would vanish' },
        ...{ decided_by: 'cmartin', decided_at: anyTime, decision_reason: 'two offices closed', verdict: [VANISHED] },
      });
      expect(await served()).toEqual(['A', 'D']);
      const snapshot = { gatewayId, id: (value as { snapshot: number }).snapshot, total: 2 };
      expect(await db.database.listings.one(snapshot, 'normalized', 'B')).toBeNull();
      expect(await db.database.listings.one(snapshot, 'normalized', 'ref D')).toBe('{"affId":"D"}');
      const gateway = await db.database.gateways.loadForIngest(gatewayId);
      expect(gateway!.feedMemory).toEqual({ etag: `of run ${id}` });
    });

    it('sets the confirmation time to the end of the run, not to the time of the decision', async () => {
      const id = await worker.run(gatewayId, { listings: ['A'] }, HELD);
      await db.query(`UPDATE run SET ended_at = now() - interval '5 hours' WHERE id = $1`, [id]);
      await terminal.json('run', 'publish', String(id), '--reason', 'first import');
      const [row] = await db.query<{ hours: number }>(
        'SELECT extract(epoch FROM now() - confirmed_at)::float / 3600 AS hours FROM gateway',
      );
      expect(row!.hours).toBeCloseTo(5, 2);
    });

    it('fails when another snapshot was published since the run', async () => {
      await worker.run(gatewayId, { listings: ['A', 'B', 'C'] });
      const id = await worker.run(gatewayId, { listings: ['A'] }, HELD);
      await db.query(`UPDATE run SET base_snapshot_id = base_snapshot_id - 1 WHERE id = $1`, [id]);
      expect(await terminal.json('run', 'publish', String(id), '--reason', 'x')).toEqual({
        exitCode: 1,
        err: '',
        value: {
          error: `the served snapshot has changed since run ${id} was compared with it`,
        },
      });
      expect(await served()).toEqual(['A', 'B', 'C']);
      expect((await db.database.runHistory.find(id))!.state).toBe('held');
    });

    it('fails when a newer run has discarded the held run', async () => {
      const id = await worker.run(gatewayId, { listings: ['A'] }, HELD);
      await worker.run(gatewayId, { listings: ['A', 'B'] });
      expect((await terminal.json('run', 'publish', String(id), '--reason', 'x')).value).toEqual({
        error: `run ${id} is not held, it is discarded (superseded by run ${id + 1})`,
      });
    });

    it('fails while a worker processes the gateway, and always releases its own lease', async () => {
      const id = await worker.run(gatewayId, { listings: ['A'] }, HELD);
      const fence = await db.database.leases.acquire(gatewayId, 'a worker', 60);
      expect((await terminal.json('run', 'publish', String(id), '--reason', 'x')).value).toEqual({
        error: 'a run of this gateway is under way: try again when it is over',
      });
      await db.database.leases.release(gatewayId, fence!);
      expect((await terminal.json('run', 'publish', String(id), '--reason', 'x', '--by', 'Zoé')).value).toMatchObject({
        state: 'published',
        decided_by: 'Zoé',
      });
      expect((await terminal.json('run', 'publish', String(id), '--reason', 'x')).value).toEqual({
        error: `run ${id} is not held, it is published by Zoé (x)`,
      });
      expect(await db.database.leases.acquire(gatewayId, 'a worker', 60)).not.toBeNull();
    });

    it('refuses a dry run, and an unknown run', async () => {
      await db.database.runRequests.request({ gatewayId, trigger: 'ops', dryRun: true });
      const id = await worker.takeUp(gatewayId, { listings: ['A'] }, HELD);
      expect((await terminal.json('run', 'publish', String(id), '--reason', 'x')).value).toEqual({
        error: `run ${id} was a dry run: it holds nothing back`,
      });
      await worker.run(gatewayId, { listings: ['A'] });
      expect((await db.database.runHistory.find(id))!.state).toBe('held');
      expect((await terminal.json('run', 'publish', '99', '--reason', 'x')).value).toEqual({
        error: 'there is no run 99: old runs are deleted, and unchanged runs are merged into one line per day',
      });
    });

    it('accepts only one of several simultaneous decisions', async () => {
      const id = String(await worker.run(gatewayId, { listings: ['A'] }, HELD));
      const decisions = await Promise.all([
        terminal.json('run', 'publish', id, '--reason', 'x'),
        terminal.json('run', 'discard', id, '--reason', 'y'),
        terminal.json('run', 'publish', id, '--reason', 'z'),
      ]);
      expect(decisions.map(({ exitCode }) => exitCode).toSorted()).toEqual([0, 1, 1]);
    });
  });

  it('run discard discards a held run and everything that the run has stored', async () => {
    await worker.run(gatewayId, { listings: ['A', 'B'] });
    const id = await worker.run(gatewayId, { listings: ['C'] }, HELD);
    const { exitCode, value } = await terminal.json('run', 'discard', String(id), '--reason', 'half an export');
    expect({ exitCode, value }).toMatchObject({
      exitCode: 0,
      value: { state: 'discarded', snapshot: null, decided_by: 'cmartin', decision_reason: 'half an export' },
    });
    expect(await served()).toEqual(['A', 'B']);
    expect(await db.query(`SELECT 1 FROM listing_version WHERE aff_id = 'C'`)).toEqual([]);
    expect(await db.query('SELECT 1 FROM snapshot WHERE published_at IS NULL')).toEqual([]);
    expect((await terminal.json('run', 'discard', String(id), '--reason', 'again')).exitCode).toBe(1);
  });

  describe('run cancel', () => {
    it('ends a queued run immediately', async () => {
      await terminal.json('ingest', ...NAME);
      const { exitCode, value } = await terminal.json('run', 'cancel', '1');
      expect({ exitCode, value }).toMatchObject({
        exitCode: 0,
        value: { state: 'cancelled', reason: 'cancelled by an operator before it started' },
      });
    });

    it('requests a running run to stop', async () => {
      await terminal.json('ingest', ...NAME);
      const fence = await db.database.leases.acquire(gatewayId, 'a worker', 60);
      await db.database.runs.claim(gatewayId, fence!);
      expect((await terminal.json('run', 'cancel', '1')).value).toMatchObject({
        state: 'running',
        cancel_requested: true,
      });
      expect((await terminal.ops('run', 'show', '1')).out).toMatch(/\n {2}cancel +requested\n/);
    });

    it('refuses a run that is over', async () => {
      const id = await worker.run(gatewayId, { listings: ['A'] });
      expect(await terminal.json('run', 'cancel', String(id))).toEqual({
        exitCode: 1,
        value: { error: `run ${id} is over: it is published` },
        err: '',
      });
    });
  });
});
