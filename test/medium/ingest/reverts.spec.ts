import { type ConnectorRegistry, loadRegistry } from '@passerelle/connectors';
import type { RunView } from '@passerelle/domain';
import { releaseGateway, revertGateway } from '@passerelle/operations';
import { type FeedServer, startFeedServer } from '../../support/feed-server';
import { runWaiting } from '../../support/gateway-runner';
import { aKyeroFeed, aProperty, ids } from '../../support/kyero-feed';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

const MARIE = { name: 'marie', through: 'ops' } as const;

// Real: PostgreSQL, HTTP, the connector, the gate, the ingestor's run. Fake: the CRM behind the HTTP server.
describe('revert to a kept snapshot', () => {
  let db: TestDatabase;
  let registry: ConnectorRegistry;
  let crm: FeedServer;
  let gatewayId: number;
  let client: string;

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
    client = `agency-${Math.random().toString(36).slice(2)}`;
    gatewayId = await db.database.gateways.add(
      {
        ...{ crm: 'kyero', client, sourceUrl: crm.url, settings: {} },
        ...{ credentials: null, everySeconds: null, contractEnd: null },
      },
      { hash: Buffer.from(client.padEnd(32).slice(0, 32)), prefix: 'psr_x' },
    );
  });

  async function carryOut(runId: number): Promise<RunView> {
    const outbound = { allowPrivate: new Set([crm.hostAndPort]) };
    await runWaiting(db.database, gatewayId, { registry, outbound });
    return (await db.database.runHistory.find(runId))!;
  }

  async function run(properties: readonly string[], forced = false): Promise<RunView> {
    crm.answer = { body: aKyeroFeed(properties), headers: { etag: '"v1"' } };
    return carryOut(await db.database.runRequests.request({ gatewayId, trigger: 'ops', forced }));
  }

  const gateway = async () => (await db.database.gateways.find('kyero', client))!;
  const ask = async (to = 'previous'): Promise<number> =>
    revertGateway(db.database, MARIE, await gateway(), { to, reason: 'half an export' });
  const revert = async (to?: string): Promise<RunView> => carryOut(await ask(to));

  async function served() {
    const { snapshot, confirmedAgeMs } = (await db.database.servedGateways.find('kyero', client))!;
    const page = await db.database.listings.page({ gatewayId, ...snapshot! }, 'normalized', 0, 10_000);
    return { token: snapshot!.token, confirmedAgeMs, body: String(page) };
  }
  const idsOf = (body: string): string[] => (JSON.parse(`[${body}]`) as { affId: string }[]).map(({ affId }) => affId);

  const good = ids(6).map((id) => aProperty(id));
  /** Listing 1 is gone, 2 has another price, and 7 is new. */
  const bad = [aProperty('2', { price: '1000' }), ...ids(6).slice(2), '7'].map((one) =>
    one.length > 2 ? one : aProperty(one),
  );

  it('publishes the old content as a new snapshot, without a confirmation by the source', async () => {
    await run(good);
    const before = await served();
    expect(await run(bad)).toMatchObject({ state: 'published', added: 1, changed: 1, removed: 1 });
    const wrong = await served();
    const reverted = await revert();
    expect(reverted).toMatchObject({
      ...{ trigger: 'revert', state: 'published', added: 1, changed: 1, removed: 1, unchanged: 4, records: 0 },
      reason: `an operator went back to the snapshot ${before.token}: half an export`,
    });
    const now = await served();
    expect(now.body).toBe(before.body);
    expect(now.token).not.toBe(before.token);
    expect(now.confirmedAgeMs).toBeNull();
    expect(crm.requests).toHaveLength(2);
    // A pagination session with the token of the wrong list continues.
    const kept = await db.database.keptSnapshots.find(gatewayId, wrong.token);
    expect(String(await db.database.listings.page({ gatewayId, ...kept! }, 'raw', 0, 100))).toContain('R-7');
    const [change] = await db.database.traces.changes(gatewayId, '7', 1);
    expect(change).toMatchObject({ change: 'removed', approved: true });
    const [audited] = await db.database.audit.list({ crm: 'kyero', client, limit: 1 });
    expect(audited).toMatchObject({
      act: 'gateway revert',
      who: 'marie',
      reason: 'half an export',
      runId: reverted.id,
    });
  });

  it('stays published when every earlier snapshot is pruned', async () => {
    await run(good);
    const before = await served();
    await run(bad);
    await revert();
    await db.query(`UPDATE snapshot SET published_at = published_at - interval '9 days' WHERE gateway_id = $1`, [
      gatewayId,
    ]);
    await db.database.revertGuards.release(gatewayId);
    for (const id of ['8', '81', '82', '83', '9']) await run([...good, aProperty(id)]);
    await db.query(`UPDATE snapshot SET published_at = published_at - interval '9 days' WHERE gateway_id = $1`, [
      gatewayId,
    ]);
    await db.database.snapshots.prune(gatewayId);
    expect(await db.database.keptSnapshots.find(gatewayId, before.token)).toMatchObject({ isReadable: false });
    expect(idsOf((await served()).body)).toEqual([...ids(6), '9']);
  });

  it('makes the next run read the source completely, and that run confirms the list when the source has the same content', async () => {
    await run(good);
    await run(bad);
    await revert();
    crm.requests.length = 0;
    expect(await run(good)).toMatchObject({ state: 'unchanged', records: 6 });
    expect(crm.requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined]);
    expect((await served()).confirmedAgeMs).toEqual(expect.any(Number));
  });

  it('holds a run that would undo the revert completely or partly, and lets any other run publish', async () => {
    await run(good);
    await run(bad);
    await revert();
    const whole = await run(bad);
    expect(whole).toMatchObject({
      ...{ state: 'held', reason: '3 of the 3 listings that a revert changed would change back' },
    });
    expect((await served()).confirmedAgeMs).toBeNull();
    for (const part of [good.slice(1), [...good, aProperty('7')], [good[0]!, bad[0]!, ...good.slice(2)]]) {
      expect(await run(part)).toMatchObject({
        state: 'held',
        reason: '1 of the 3 listings that a revert changed would change back',
      });
    }
    const other = [good[0]!, aProperty('2', { price: '2000' }), ...good.slice(3), aProperty('8')];
    expect(await run(other)).toMatchObject({ state: 'published', added: 1, changed: 1, removed: 1 });
    // The guard stays.
    expect(await run(bad)).toMatchObject({ state: 'held' });
  });

  it('ends its guard when an operator publishes the held run, forces a run, or releases the gateway', async () => {
    const guarded = async () => (await db.database.revertGuards.find(gatewayId)) !== null;
    await run(good);
    await run(bad);
    await revert();
    const held = await run(bad);
    expect(await guarded()).toBe(true);
    await db.database.heldRuns.publish(held.id, { by: 'marie', reason: 'it was right' });
    expect(await guarded()).toBe(false);
    await revert();
    expect(await run(bad, true)).toMatchObject({ state: 'published', forced: true });
    expect(await guarded()).toBe(false);
    await revert();
    await releaseGateway(db.database, MARIE, await gateway(), 'the agency corrected it');
    expect(await run(bad)).toMatchObject({ state: 'published' });
    await expect(releaseGateway(db.database, MARIE, await gateway())).rejects.toThrow(/has no guard/);
  });

  it('is refused when the snapshot is already served, unknown or removed', async () => {
    await run(good);
    const first = await served();
    await expect(ask()).rejects.toThrow(/no earlier snapshot of .* is kept/);
    await expect(ask(first.token)).rejects.toThrow(/is already served/);
    await expect(ask('nonsense')).rejects.toThrow(/no snapshot nonsense of .* is kept/);
    await run(bad);
    const runId = await ask(first.token);
    // Only a process of the previous release would prune this snapshot: it has no reverts.
    await db.query('UPDATE snapshot SET pruned_at = now() WHERE gateway_id = $1 AND token = $2', [
      gatewayId,
      first.token,
    ]);
    expect(await carryOut(runId)).toMatchObject({
      ...{ state: 'failed', reason: `the listings of the snapshot ${first.token} are no longer kept` },
    });
    await expect(ask(first.token)).rejects.toThrow(/is kept/);
    const [schedule] = await db.query('SELECT failures FROM gateway_schedule WHERE gateway_id = $1', [gatewayId]);
    expect(schedule).toEqual({ failures: 0 });
  });

  it('protects its snapshot from pruning until it runs, and runs even while the gateway is paused', async () => {
    await run(good);
    const before = await served();
    for (const id of ['7', '8', '9']) await run([...good, aProperty(id)]);
    await db.query(`UPDATE snapshot SET published_at = published_at - interval '9 days' WHERE gateway_id = $1`, [
      gatewayId,
    ]);
    await db.query(`INSERT INTO pause (gateway_id, paused_by) VALUES ($1, 'marie')`, [gatewayId]);
    const runId = await ask(before.token);
    expect(await db.database.snapshots.prune(gatewayId)).toBe(0);
    expect(await carryOut(runId)).toMatchObject({ state: 'published', removed: 1 });
    expect((await served()).body).toBe(before.body);
  });

  it('replaces a waiting run', async () => {
    await run(good);
    await run(bad);
    const waiting = await db.database.runRequests.request({ gatewayId, trigger: 'schedule' });
    const asked = await ask();
    expect(asked).toBe(waiting);
    expect(await carryOut(asked)).toMatchObject({ trigger: 'revert', state: 'published' });
  });
});
