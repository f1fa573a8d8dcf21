import { type ConnectorRegistry, loadRegistry } from '@passerelle/connectors';
import type { RunView } from '@passerelle/domain';
import { type FeedServer, startFeedServer } from '../../support/feed-server';
import { runWaiting } from '../../support/gateway-runner';
import { aKyeroFeed, aProperty, ids } from '../../support/kyero-feed';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

// Real: PostgreSQL, HTTP, the connector, the runs. Fake: the CRM behind the HTTP server.
describe('run over photos with signed addresses', () => {
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

  const HOUR_S = 3_600;
  const inHours = (hours: number): number => Math.floor(Date.now() / 1000) + hours * HOUR_S;

  interface Signing {
    run: number;
    path?: string;
    endsInHours?: number;
  }

  /** Two photos with an S3 signature, which is another one in each run. */
  const photos = (id: string, { run, path = 'photos', endsInHours = 1 }: Signing): string => {
    const one = (photo: number): string =>
      `<image id="${photo}"><url>https://bucket.s3.example.com/${path}/${id}-${photo}.jpg?AWSAccessKeyId=K&amp;Expires=${
        inHours(endsInHours) + run
      }&amp;Signature=s${run}</url></image>`;
    return `<images>${one(1)}${one(2)}</images>`;
  };
  const signed = (id: string, signing: Signing, price = '100000'): string =>
    aProperty(id, { price, images: '' }).replace('<images></images>', photos(id, signing));

  async function run(properties: readonly string[]): Promise<RunView> {
    crm.answer = { body: aKyeroFeed(properties) };
    const runId = await db.database.runRequests.request({ gatewayId, trigger: 'ops' });
    await runWaiting(db.database, gatewayId, { registry, outbound: { allowPrivate: new Set([crm.hostAndPort]) } });
    return (await db.database.runHistory.find(runId))!;
  }

  const listingOf = async (affId: string): Promise<{ body: string; empreinte: string }> => {
    const [row] = await db.query(
      `SELECT n.body, v.empreinte FROM current_listing c
       JOIN listing_version v ON v.gateway_id = $1 AND v.id = c.version_id
       JOIN listing_normalized n ON n.gateway_id = $1 AND n.version_id = c.version_id
       WHERE c.gateway_id = $1 AND c.aff_id = $2`,
      [gatewayId, affId],
    );
    return row as { body: string; empreinte: string };
  };

  it('finds no change in five runs that differ only in signatures', async () => {
    expect(await run(ids(5).map((id) => signed(id, { run: 1 })))).toMatchObject({ state: 'published', added: 5 });
    const first = await listingOf('3');
    for (const again of [2, 3, 4, 5]) {
      const view = await run(ids(5).map((id) => signed(id, { run: again })));
      expect(view).toMatchObject({ state: 'unchanged', records: 5, unchanged: 5, added: 0, changed: 0, removed: 0 });
    }
    expect(await listingOf('3')).toEqual(first);
    const [changes] = await db.query('SELECT count(*)::int AS n FROM listing_change WHERE gateway_id = $1', [
      gatewayId,
    ]);
    expect(changes).toEqual({ n: 5 });
  });

  it('publishes only the listings that changed in something else, with their new addresses', async () => {
    await run(ids(5).map((id) => signed(id, { run: 1 })));
    const second = ids(5).map((id) => signed(id, { run: 2 }, id === '2' ? '95000' : '100000'));
    expect(await run(second)).toMatchObject({ state: 'published', changed: 1, unchanged: 4 });
    expect((await listingOf('2')).body).toContain('Signature=s2');
    expect((await listingOf('1')).body).toContain('Signature=s1');
  });

  it('publishes a listing whose photo has another path', async () => {
    await run(ids(3).map((id) => signed(id, { run: 1 })));
    const second = ids(3).map((id) => signed(id, { run: 2, path: id === '1' ? 'new' : 'photos' }));
    expect(await run(second)).toMatchObject({ state: 'published', changed: 1, unchanged: 2 });
    expect((await listingOf('1')).body).toContain('/new/1-1.jpg');
  });

  it('replaces an address that has ended, and keeps it when the new one has ended too', async () => {
    await run(ids(2).map((id) => signed(id, { run: 1, endsInHours: -1 })));
    expect(await run(ids(2).map((id) => signed(id, { run: 2, endsInHours: -1 })))).toMatchObject({
      state: 'unchanged',
      unchanged: 2,
    });
    expect(await run(ids(2).map((id) => signed(id, { run: 3 })))).toMatchObject({ state: 'published', changed: 2 });
    expect((await listingOf('1')).body).toContain('Signature=s3');
    const { changed, unchanged } = await run(ids(2).map((id) => signed(id, { run: 4 })));
    expect({ changed, unchanged }).toEqual({ changed: 0, unchanged: 2 });
  });
});
