import { type ConnectorRegistry, loadRegistry, type OutboundPolicy } from '@passerelle/connectors';
import { type RunView, SecretBox } from '@passerelle/domain';
import { type ApiServer } from '../../simulated/apis/api-server';
import { ALTO_CREDENTIALS, ALTO_FEED, type AltoState, simulateAlto } from '../../simulated/apis/alto';
import { runWaiting } from '../../support/gateway-runner';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

const SECRETS_KEY = 'a key of the tests, and of nothing else';
const LISTINGS = 300;
const isListing = ({ url }: { url: URL }): boolean => /\/property\/\d+$/.test(url.pathname);

// Real: PostgreSQL, HTTP, the connector `alto`. Fake: the CRM, a simulator. The queue is not used.
describe('run over a source with one request per listing', () => {
  let db: TestDatabase;
  let registry: ConnectorRegistry;
  let api: ApiServer;
  let state: AltoState;
  let gatewayId: number;

  beforeAll(async () => {
    registry = await loadRegistry();
  });
  beforeEach(async () => {
    const properties = Array.from({ length: LISTINGS }, (_, id) => ({ id: String(id + 1) }));
    state = {
      ...{ properties: () => properties, branches: ['21'], usesOfToken: Infinity, endsTokens: false },
      ...{ isTokenTaken: false, movesPhotos: false, beforeListing: () => undefined },
    };
    db = await createTestDatabase();
    api = await simulateAlto(state);
    gatewayId = await addGateway('agency');
  });
  afterEach(async () => {
    await api.close();
    await db.drop();
  });

  const addGateway = (client: string, settings: Record<string, string> = {}): Promise<number> =>
    db.database.gateways.add(
      {
        ...{ crm: 'alto', client, sourceUrl: `http://${api.host}`, everySeconds: null, contractEnd: null },
        settings: { feed: ALTO_FEED, 'requests-per-second': '1000', ...settings },
        credentials: new SecretBox(SECRETS_KEY).seal(JSON.stringify(ALTO_CREDENTIALS)),
      },
      { hash: Buffer.from(client), prefix: 'psr_x' },
    );

  async function run(id = gatewayId, limits: Partial<OutboundPolicy> = {}): Promise<RunView> {
    const runId = await db.database.runRequests.request({ gatewayId: id, trigger: 'ops' });
    const outbound = { allowPrivate: new Set([api.host]), detailsMs: 60_000, ...limits };
    await runWaiting(db.database, id, { registry, secretsKey: SECRETS_KEY, outbound });
    return (await db.database.runHistory.find(runId))!;
  }

  const asked = (): number => api.requests.filter(isListing).length;
  const keptRecords = async (): Promise<number> =>
    Number((await db.query<{ count: string }>('SELECT count(*) FROM source_detail'))[0]?.count);

  it('continues where a stopped run ended, without a second request for a listing', async () => {
    const shutdown = new AbortController();
    state.beforeListing = () => {
      if (asked() === 120) shutdown.abort();
    };
    const runId = await db.database.runRequests.request({ gatewayId, trigger: 'ops' });
    const runner = { registry, secretsKey: SECRETS_KEY, outbound: { allowPrivate: new Set([api.host]) } };
    await runWaiting(db.database, gatewayId, runner, shutdown);
    const kept = await keptRecords();
    expect(kept).toBeGreaterThan(100);
    expect(await db.database.servedGateways.find('alto', 'agency')).toMatchObject({ snapshot: null });

    // The first ingestor has handed the run over, and another ingestor takes the run.
    await runWaiting(db.database, gatewayId, runner);
    expect(await db.database.runHistory.find(runId)).toMatchObject({ state: 'published', added: LISTINGS });
    expect(asked()).toBeLessThanOrEqual(LISTINGS + 1);
    expect(await keptRecords()).toBe(0);
  });

  it('keeps its listings when the source refuses further requests for the day, and publishes only complete lists', async () => {
    api.fault = (request) =>
      isListing(request) && asked() > 50
        ? { kind: 'status', status: 429, headers: { 'retry-after': '7200' } }
        : undefined;
    expect(await run()).toMatchObject({ state: 'failed' });
    api.fault = undefined;
    expect(await run()).toMatchObject({ state: 'published', added: LISTINGS });
    expect(asked()).toBe(LISTINGS + 1);
  });

  it('is continued by further runs when the rate is too low for one run, and no run fails', async () => {
    state.branches = ['21', '22', '23'];
    const listings = 120;
    const properties = Array.from({ length: listings }, (_, at) => ({
      ...{ id: String(at + 1), branch: state.branches[at % 3]! },
    }));
    state.properties = () => properties;
    const slow = await addGateway('slow', { 'requests-per-second': '60' });
    const runs: RunView[] = [];
    do {
      const [askedBefore, keptBefore] = [asked(), await keptRecords()];
      const ended = await run(slow, { detailsMs: 700 });
      runs.push(ended);
      if (ended.state === 'published') break;
      expect(ended).toMatchObject({ state: 'held', reason: expect.stringMatching(/left to the next run$/) as string });
      // The gateway keeps the listings that it has requested, and readers get no partial list.
      expect(await keptRecords()).toBe(keptBefore + asked() - askedBefore);
      expect(await db.database.servedGateways.find('alto', 'slow')).toMatchObject({ snapshot: null });
    } while (runs.length < 100);
    expect(runs.length).toBeGreaterThan(2);
    expect(runs.at(-1)).toMatchObject({ state: 'published', added: listings });
    expect([asked(), await keptRecords()]).toEqual([listings, 0]);
  });

  it("requests changed listings only, and removes listings that are no longer in the source's list", async () => {
    await run();
    const before = asked();
    expect(await run()).toMatchObject({ state: 'unchanged', unchanged: LISTINGS });
    expect(asked()).toBe(before);
    const [, ...rest] = state.properties();
    state.properties = () => rest.map((one) => (one.id === '7' ? { ...one, changed: '2026-11-20T00:00:00' } : one));
    expect(await run()).toMatchObject({ state: 'published', removed: 1, changed: 1, unchanged: LISTINGS - 2 });
    expect(asked()).toBe(before + 1);
  });

  it("shares one token with another gateway's run when the source allows only one token", async () => {
    const others = await addGateway('other');
    const [one, other] = await Promise.all([run(), run(others)]);
    expect([one.state, other.state]).toEqual(['published', 'published']);
    const basic = `Basic ${btoa(`${ALTO_CREDENTIALS.user}:${ALTO_CREDENTIALS.password}`)}`;
    expect(api.requests.filter(({ headers }) => headers.authorization === basic)).toHaveLength(1);
  });
});
