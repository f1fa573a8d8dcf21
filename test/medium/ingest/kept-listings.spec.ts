import { type ConnectorRegistry, loadRegistry } from '@passerelle/connectors';
import type { RunView } from '@passerelle/domain';
import { type FeedServer, startFeedServer } from '../../support/feed-server';
import { runWaiting } from '../../support/gateway-runner';
import { aKyeroFeed, aProperty, ids } from '../../support/kyero-feed';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

// Real: PostgreSQL, HTTP, the connector, the gate. Fake: the CRM behind the HTTP server.
describe('run over unreadable records', () => {
  let db: TestDatabase;
  let registry: ConnectorRegistry;
  let crm: FeedServer;
  let gatewayId: number;

  beforeAll(async () => {
    registry = await loadRegistry();
    db = await createTestDatabase();
    crm = await startFeedServer();
  });
  afterAll(async () => {
    await crm.close();
    await db.drop();
  });
  beforeEach(async () => {
    const client = `agency-${Math.random().toString(36).slice(2)}`;
    gatewayId = await db.database.gateways.add(
      {
        ...{ crm: 'kyero', client, sourceUrl: crm.url, settings: {} },
        ...{ credentials: null, everySeconds: null, contractEnd: null },
      },
      { hash: Buffer.from(client.padEnd(32).slice(0, 32)), prefix: 'psr_x' },
    );
  });

  const broken = (id: string): string => aProperty(id).replace('</town>', '');
  const feed = (count: number, ...unreadable: string[]): string[] =>
    ids(count).map((id) => (unreadable.includes(id) ? broken(id) : aProperty(id)));

  async function run(
    properties: readonly string[],
    { keepUnreadableHours = 72, ...request }: { keepUnreadableHours?: number; dryRun?: boolean; forced?: boolean } = {},
  ): Promise<RunView> {
    crm.answer = { body: aKyeroFeed(properties), headers: { etag: '"v1"' } };
    const runId = await db.database.runRequests.request({ gatewayId, trigger: 'ops', ...request });
    const outbound = { allowPrivate: new Set([crm.hostAndPort]) };
    await runWaiting(db.database, gatewayId, { registry, outbound, options: { keepUnreadableHours } });
    return (await db.database.runHistory.find(runId))!;
  }

  async function kept(): Promise<{ affId: string; hours: number }[]> {
    const rows = await db.query(
      `SELECT aff_id AS "affId", round(extract(epoch FROM now() - kept_since) / 3600)::int AS hours
       FROM kept_listing WHERE gateway_id = $1 ORDER BY aff_id`,
      [gatewayId],
    );
    return rows as { affId: string; hours: number }[];
  }
  const moveMarks = (by: string): Promise<unknown> =>
    db.query(`UPDATE kept_listing SET kept_since = now() + $2::interval WHERE gateway_id = $1`, [gatewayId, by]);
  const tokenAndTotal = async (): Promise<unknown> =>
    db.query(
      'SELECT s.token, s.total FROM gateway g JOIN snapshot s ON s.gateway_id = g.id AND s.id = g.current_snapshot_id WHERE g.id = $1',
      [gatewayId],
    );

  it('keeps the listing of an unreadable record in the served snapshot, and reports it', async () => {
    await run(feed(5));
    const before = await tokenAndTotal();
    expect(await run(feed(5, '3'))).toMatchObject({
      state: 'unchanged',
      unchanged: 5,
      removed: 0,
      rejected: 1,
      kept: 1,
    });
    expect(await tokenAndTotal()).toEqual(before);
    expect(await kept()).toEqual([{ affId: '3', hours: 0 }]);
    const { listed } = await db.database.traces.trace(gatewayId, '3');
    expect(listed).toMatchObject({ position: 3, total: 5, keptSince: expect.any(String) as string });
    expect((await db.database.traces.trace(gatewayId, '2')).listed).toMatchObject({ keptSince: null });
  });

  it('publishes other changes beside a kept listing, and removes the mark when the record is readable again', async () => {
    await run(feed(5));
    expect(await run([...feed(5, '3'), aProperty('6')])).toMatchObject({
      state: 'published',
      added: 1,
      removed: 0,
      kept: 1,
    });
    expect(await kept()).toEqual([{ affId: '3', hours: 0 }]);
    const again = await run([...feed(5), aProperty('6')]);
    expect(again).toMatchObject({ state: 'unchanged' });
    expect(again).not.toHaveProperty('kept');
    expect(await kept()).toEqual([]);
  });

  it('reads the source again while it keeps a listing, even if the source is unchanged', async () => {
    await run(feed(5));
    await run(feed(5, '3'));
    crm.requests.length = 0;
    expect(await run(feed(5, '3'))).toMatchObject({ state: 'unchanged', records: 5, kept: 1 });
    expect(crm.requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined]);
  });

  it('removes a kept listing as rejected when the time limit since the first failing run is over', async () => {
    await run(feed(5));
    await run(feed(5, '3'));
    await moveMarks('-71 hours');
    expect(await run(feed(5, '3'))).toMatchObject({ state: 'unchanged', kept: 1 });
    expect(await kept()).toEqual([{ affId: '3', hours: 71 }]);
    await moveMarks('-72 hours');
    expect(await run(feed(5, '3'))).toMatchObject({ state: 'published', removed: 1 });
    expect(await kept()).toEqual([]);
    const [change] = await db.database.traces.changes(gatewayId, '3', 1);
    expect(change).toMatchObject({ change: 'removed', reason: 'rejected' });
  });

  it('treats a mark with a time in the future as a new mark', async () => {
    await run(feed(5));
    await run(feed(5, '3'));
    await moveMarks('300 hours');
    expect((await db.database.traces.trace(gatewayId, '3')).listed?.keptSince).not.toBeNull();
    expect(await run(feed(5, '3'))).toMatchObject({ kept: 1 });
    expect(await kept()).toEqual([{ affId: '3', hours: 0 }]);
  });

  it('lets the gate judge the removal of listings after the time limit', async () => {
    await run(feed(5));
    await run(feed(5, '2', '3', '4'));
    await moveMarks('-73 hours');
    const held = await run(feed(5, '2', '3', '4'));
    expect(held).toMatchObject({ state: 'held', removed: 3 });
    expect((await kept()).map(({ affId }) => affId)).toEqual(['2', '3', '4']);
  });

  it('is held when no record is readable', async () => {
    await run(feed(3));
    const { state, reason } = await run(feed(3, '1', '2', '3'));
    expect({ state, reason }).toEqual({ state: 'held', reason: "none of the feed's 3 records could become a listing" });
    expect(await kept()).toEqual([]);
  });

  it('keeps nothing when the setting is 0', async () => {
    await run(feed(9));
    await run(feed(9, '3'));
    expect(await run(feed(9, '3'), { keepUnreadableHours: 0 })).toMatchObject({ state: 'published', removed: 1 });
    expect(await kept()).toEqual([]);
  });

  it('writes nothing as a dry run, but reports the listings that it would keep', async () => {
    await run(feed(5));
    expect(await run(feed(5, '3'), { dryRun: true })).toMatchObject({ state: 'unchanged', kept: 1 });
    expect(await kept()).toEqual([]);
  });

  it('marks the kept listings of a held run when an operator publishes that run', async () => {
    await run(feed(8));
    const held = await run(feed(8, '1').slice(0, 3));
    expect(held).toMatchObject({ state: 'held', kept: 1 });
    expect(await kept()).toEqual([]);
    await db.database.heldRuns.publish(held.id, { by: 'marie', reason: 'sold' });
    expect(await kept()).toEqual([{ affId: '1', hours: 0 }]);
  });
});
