import { type Connector, type ConnectorRegistry, loadRegistry, mappingOf } from '@passerelle/connectors';
import type { RunView } from '@passerelle/domain';
import { type FeedServer, startFeedServer } from '../../support/feed-server';
import { runWaiting } from '../../support/gateway-runner';
import { aKyeroFeed, aProperty, ids } from '../../support/kyero-feed';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

const DAY = 86_400;

/** A release whose mapping of Kyero records is another one, and the records that it has mapped. */
interface Release {
  registry: ConnectorRegistry;
  mapped: string[];
}

// Real: PostgreSQL, HTTP, the connector, the gate, the ingestor's run. Fake: the CRM behind the HTTP server.
describe('remap after an upgrade', () => {
  let db: TestDatabase;
  let kyero: Connector;
  let crm: FeedServer;
  let gatewayId: number;
  let client: string;
  let old: Release;
  let mapper: (id: string, ville: string) => string | undefined;
  let newer: Release;

  beforeAll(async () => {
    kyero = (await loadRegistry()).get('kyero')!;
    db = await createTestDatabase();
    crm = await startFeedServer();
  });
  afterAll(async () => {
    await crm.close();
    await db.drop();
  });
  beforeEach(async () => {
    await db.query(`UPDATE gateway SET enabled = false`);
    client = `agency-${Math.random().toString(36).slice(2)}`;
    gatewayId = await db.database.gateways.add(
      {
        ...{ crm: 'kyero', client, sourceUrl: crm.url, settings: {} },
        ...{ credentials: null, everySeconds: null, contractEnd: null },
      },
      { hash: Buffer.from(client.padEnd(32).slice(0, 32)), prefix: 'psr_x' },
    );
    mapper = (id, ville) => (Number(id) % 2 === 0 ? ville.toUpperCase() : ville);
    old = aRelease(0, (_id, ville) => ville);
    newer = aRelease(1, (id, ville) => mapper(id, ville));
    crm.requests.length = 0;
    offer(ids(6).map((id) => aProperty(id)));
  });

  function aRelease(raise: number, villeOf: (id: string, ville: string) => string | undefined): Release {
    const mapped: string[] = [];
    const connector: Connector = {
      ...kyero,
      version: kyero.version + raise,
      map(record, context) {
        const result = kyero.map(record, context);
        if (result.kind !== 'listing') return result;
        const { affId, ville = '' } = result.listing;
        mapped.push(affId);
        const named = villeOf(affId, ville);
        Reflect.deleteProperty(result.listing, 'ville');
        return { ...result, listing: { ...result.listing, ...(named !== undefined && { ville: named }) } };
      },
    };
    return { registry: { list: () => [connector], get: () => connector }, mapped };
  }

  function offer(properties: readonly string[], etag = '"v1"'): void {
    crm.answer = ({ headers }) =>
      headers['if-none-match'] === etag ? { status: 304 } : { body: aKyeroFeed(properties), headers: { etag } };
  }

  async function carryOut(release: Release, runId: number, shutdown?: AbortController): Promise<RunView> {
    const outbound = { allowPrivate: new Set([crm.hostAndPort]) };
    await runWaiting(db.database, gatewayId, { registry: release.registry, outbound }, shutdown);
    return (await db.database.runHistory.find(runId))!;
  }

  const run = async (release: Release, trigger: 'schedule' | 'ops' = 'schedule'): Promise<RunView> =>
    carryOut(release, await db.database.runRequests.request({ gatewayId, trigger }));

  const plan = (release: Release): Promise<number> =>
    db.database.remaps.plan([{ crm: 'kyero', mapping: mappingOf(release.registry.get('kyero')!), since: 1 }], DAY);

  /** Plans the remap, lets its time come, and requests it. */
  async function request(release: Release): Promise<number | undefined> {
    await plan(release);
    await db.query(`UPDATE gateway_schedule SET remap_at = now() WHERE remap_at IS NOT NULL AND gateway_id = $1`, [
      gatewayId,
    ]);
    await db.database.remaps.requestDue(20, DAY);
    const rows = await db.query<{ id: number }>(
      `SELECT id FROM run WHERE gateway_id = $1 AND trigger = 'remap' AND state = 'queued'`,
      [gatewayId],
    );
    return rows[0]?.id;
  }

  const remap = async (release: Release): Promise<RunView> => carryOut(release, (await request(release))!);

  async function served(): Promise<{ token: string; confirmedAt: unknown; villes: string[] }> {
    const { snapshot } = (await db.database.servedGateways.find('kyero', client))!;
    const page = String(await db.database.listings.page({ gatewayId, ...snapshot! }, 'normalized', 0, 100));
    const listings = JSON.parse(`[${page}]`) as { ville?: string }[];
    const [row] = await db.query<{ at: unknown }>(`SELECT confirmed_at AS at FROM gateway WHERE id = $1`, [gatewayId]);
    return { token: snapshot!.token, confirmedAt: row!.at, villes: listings.map(({ ville = '' }) => ville) };
  }

  const V = 'Villeneuve';
  const UPPER = V.toUpperCase();

  it('maps the stored records, publishes only changed texts, and neither requests the source nor confirms the list', async () => {
    await run(old);
    const before = await served();
    crm.requests.length = 0;
    expect(await remap(newer)).toMatchObject({
      ...{ trigger: 'remap', state: 'published', records: 0, fetched_bytes: 0 },
      ...{ added: 0, changed: 3, unchanged: 3, removed: 0, warnings: 0, reason: null },
    });
    const after = await served();
    expect(after).toEqual({ ...after, confirmedAt: before.confirmedAt, villes: [V, UPPER, V, UPPER, V, UPPER] });
    expect(crm.requests).toEqual([]);
    const changes = await db.query(
      `SELECT kind, aff_id FROM listing_change c JOIN snapshot s ON s.id = c.snapshot_id AND s.gateway_id = c.gateway_id
       WHERE s.token = $1 ORDER BY aff_id`,
      [after.token],
    );
    expect(changes).toEqual(['2', '4', '6'].map((aff_id) => ({ kind: 'changed', aff_id })));
    expect(await request(newer)).toBeUndefined();
  });

  it('publishes nothing when no text changes, and a later run knows the records', async () => {
    mapper = (_id, ville) => ville;
    await run(old);
    const before = await served();
    expect(await remap(newer)).toMatchObject({ state: 'unchanged', changed: 0, unchanged: 6 });
    expect(await served()).toEqual(before);
    expect(await run(newer)).toMatchObject({ state: 'unchanged', fetched_bytes: 0 });
    newer.mapped.length = 0;
    offer([...ids(6).map((id) => aProperty(id)), aProperty('7')], '"v2"');
    expect(await run(newer)).toMatchObject({ state: 'published', added: 1, changed: 0, unchanged: 6 });
    expect(newer.mapped).toEqual(['7']);
  });

  it('lets later runs know the records of changed texts, under the new mapping only', async () => {
    await run(old);
    await remap(newer);
    newer.mapped.length = 0;
    offer([...ids(6).map((id) => aProperty(id)), aProperty('7')], '"v2"');
    expect(await run(newer)).toMatchObject({ state: 'published', added: 1, changed: 0 });
    expect(newer.mapped).toEqual(['7']);
    // The previous release maps again what the new mapping has changed.
    old.mapped.length = 0;
    offer(
      ids(8).map((id) => aProperty(id)),
      '"v3"',
    );
    expect(await run(old)).toMatchObject({ state: 'published', added: 1, changed: 3 });
    expect(old.mapped.sort()).toEqual(['2', '4', '6', '7', '8']);
    expect((await served()).villes).toEqual(Array.from({ length: 8 }, () => V));
  });

  it('ends when a run has mapped the records already, and lets an unchanged source confirm the list until then', async () => {
    await run(old);
    expect(await run(newer)).toMatchObject({ state: 'unchanged', fetched_bytes: 0 });
    expect((await served()).villes).toEqual([V, V, V, V, V, V]);
    expect(newer.mapped).toEqual([]);
    const asked = await request(newer);
    // A run that reads the records maps them immediately.
    offer([...ids(6).map((id) => aProperty(id)), aProperty('7')], '"v2"');
    await db.query(`UPDATE run SET state = 'cancelled', ended_at = now() WHERE id = $1`, [asked]);
    expect(await run(newer)).toMatchObject({ state: 'published', added: 1, changed: 3 });
    await db.query(`UPDATE run SET state = 'queued', ended_at = NULL WHERE id = $1`, [asked]);
    expect(await carryOut(newer, asked!)).toMatchObject({
      state: 'cancelled',
      reason: 'a run has already mapped the listings again',
    });
    newer.mapped.length = 0;
    expect(await run(newer)).toMatchObject({ state: 'unchanged' });
    expect(newer.mapped).toEqual([]);
  });

  it('is not needed after a run that an operator requests, which reads the source completely', async () => {
    await run(old);
    expect(await run(newer, 'ops')).toMatchObject({ state: 'published', changed: 3, records: 6 });
    expect(await request(newer)).toBeUndefined();
  });

  it('leaves a listing to the source when its stored record lacks something, with one warning', async () => {
    await run(old);
    mapper = (id, ville) => (id === '1' ? undefined : ville.toUpperCase());
    const remapped = await remap(newer);
    expect(remapped).toMatchObject({ state: 'published', changed: 5, unchanged: 1, warnings: 1 });
    expect((await served()).villes).toEqual([V, UPPER, UPPER, UPPER, UPPER, UPPER]);
    const warnings = await db.query(`SELECT code, count, examples FROM run_warning WHERE run_id = $1`, [remapped.id]);
    expect(warnings).toEqual([{ code: 'not_remapped', count: 1, examples: ['1'] }]);
    newer.mapped.length = 0;
    expect(await run(newer)).toMatchObject({ state: 'published', changed: 1, unchanged: 5 });
    expect(newer.mapped).toEqual(['1']);
    expect((await served()).villes).toEqual(['', UPPER, UPPER, UPPER, UPPER, UPPER]);
  });

  it('gives up when the mapping crashes, and the next run reads the source', async () => {
    await run(old);
    const before = await served();
    mapper = () => {
      throw new TypeError('cannot read a member of undefined');
    };
    expect(await remap(newer)).toMatchObject({
      state: 'cancelled',
      reason: 'most stored records lack what the mapping needs: the next run reads the source',
    });
    expect(await served()).toEqual(before);
    const [schedule] = await db.query(`SELECT failures FROM gateway_schedule WHERE gateway_id = $1`, [gatewayId]);
    expect(schedule).toEqual({ failures: 0 });
    mapper = (_id, ville) => ville.toUpperCase();
    expect(await request(newer)).toBeUndefined();
    expect(await run(newer)).toMatchObject({ state: 'published', changed: 6, records: 6 });
  });

  it('continues in another process when its process stops or crashes', async () => {
    await run(old);
    const asked = (await request(newer))!;
    const stopping = new AbortController();
    stopping.abort();
    expect(await carryOut(newer, asked, stopping)).toMatchObject({ state: 'running' });
    // A worker that was killed leaves the run and its lease.
    await db.query(`UPDATE gateway_lease SET expires_at = '-infinity' WHERE gateway_id = $1`, [gatewayId]);
    expect(await carryOut(newer, asked)).toMatchObject({ state: 'published', changed: 3 });
  });

  it('fails after three crashes, and the next run reads the source', async () => {
    await run(old);
    const asked = (await request(newer))!;
    await db.query(`UPDATE run SET attempts = 3 WHERE id = $1`, [asked]);
    expect(await carryOut(newer, asked)).toMatchObject({ state: 'failed' });
    expect(await run(newer)).toMatchObject({ state: 'published', changed: 3, records: 6 });
  });

  it('publishes nothing when another worker has taken the gateway over', async () => {
    await run(old);
    const before = await served();
    const asked = (await request(newer))!;
    mapper = (id, ville) => {
      if (id === '6') void db.query(`UPDATE gateway_lease SET fence = fence + 1 WHERE gateway_id = $1`, [gatewayId]);
      return ville.toUpperCase();
    };
    expect(await carryOut(newer, asked)).toMatchObject({ state: 'running' });
    expect(await served()).toEqual(before);
  });

  it('becomes the scheduled run, or the run that an operator requests, while it waits', async () => {
    await run(old);
    const asked = await request(newer);
    await db.database.announcements.claim({ limit: 10, seconds: 60 });
    expect(await db.query('SELECT turn FROM run WHERE id = $1', [asked])).toEqual([{ turn: 2 ** 20 }]);
    await db.query(`UPDATE gateway_schedule SET next_run_at = now() WHERE gateway_id = $1`, [gatewayId]);
    expect(await db.database.schedule.requestDueRuns({ everySeconds: 3600, batch: 10 })).toBe(1);
    expect(await db.query('SELECT trigger, turn FROM run WHERE id = $1', [asked])).toEqual([
      { trigger: 'schedule', turn: null },
    ]);
    await db.query(`UPDATE run SET trigger = 'remap' WHERE id = $1`, [asked]);
    expect(await db.database.runRequests.request({ gatewayId, trigger: 'ops' })).toBe(asked);
    expect(await db.query('SELECT trigger FROM run WHERE id = $1', [asked])).toEqual([{ trigger: 'ops' }]);
    await db.query(`UPDATE run SET trigger = 'schedule' WHERE id = $1`, [asked]);
    expect(await carryOut(newer, asked!)).toMatchObject({ state: 'unchanged' });
    // The source did not send the records, so the listings are planned again.
    expect(await request(newer)).toBeDefined();
  });

  it.each([
    ['is paused', `INSERT INTO pause (gateway_id, reason, paused_by) VALUES ($1, 'a move', 'marie')`],
    ['is disabled', 'UPDATE gateway SET enabled = false WHERE id = $1'],
    ['is past its contract', `UPDATE gateway SET contract_end = '2020-01-01' WHERE id = $1`],
    ['has a held run', `INSERT INTO run (gateway_id, trigger, state, ended_at) VALUES ($1, 'ops', 'held', now())`],
    ['has a running run', `INSERT INTO run (gateway_id, trigger, state) VALUES ($1, 'ops', 'running')`],
  ])('waits while the gateway %s', async (_what, statement) => {
    await run(old);
    await plan(newer);
    await db.query(statement, [gatewayId]);
    expect(await request(newer)).toBeUndefined();
  });

  it('is planned once within the spread, and only from a version whose raw records are sufficient', async () => {
    await run(old);
    const mapping = mappingOf(newer.registry.get('kyero')!);
    const since = kyero.version + 1;
    expect(await db.database.remaps.plan([{ crm: 'kyero', mapping, since }], DAY)).toBe(0);
    expect(await plan(old)).toBe(0);
    expect(await plan(newer)).toBe(1);
    expect(await plan(newer)).toBe(0);
    const [row] = await db.query<{ isWithin: boolean }>(
      `SELECT remap_at BETWEEN now() AND now() + interval '1 day' AS "isWithin" FROM gateway_schedule WHERE gateway_id = $1`,
      [gatewayId],
    );
    expect(row).toEqual({ isWithin: true });
    expect(await db.database.remaps.requestDue(0, DAY)).toBe(0);
  });

  it('is not planned with damaged memory', async () => {
    await run(old);
    await db.query(`UPDATE gateway SET feed_memory = feed_memory || '{"mappedAs": "x.y"}' WHERE id = $1`, [gatewayId]);
    expect(await plan(newer)).toBe(0);
  });
});
