import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConnectorRegistry, loadRegistry } from '@passerelle/connectors';
import type { Listing, RunView } from '@passerelle/domain';
import { type Answer, type FeedServer, startFeedServer } from '../../support/feed-server';
import { runWaiting } from '../../support/gateway-runner';
import { aKyeroFeed, aProperty, ids } from '../../support/kyero-feed';
import { encoded, picture } from '../../support/media/pictures';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

// Real: PostgreSQL, HTTP, the connector, the runs. Fake: the CRM behind the HTTP server.
describe('run over photos with signed addresses', () => {
  let db: TestDatabase;
  let registry: ConnectorRegistry;
  let crm: FeedServer;
  let gatewayId: number;
  let mediaDir: string;
  const pictures = new Map<string, Buffer>();

  beforeAll(async () => {
    registry = await loadRegistry();
    mediaDir = mkdtempSync(join(tmpdir(), 'signed-photos-'));
    for (const seed of [1, 2])
      pictures.set(`-${seed}.jpg`, await encoded('jpg', picture({ width: 48, height: 32, seed })));
    db = await createTestDatabase();
    crm = await startFeedServer();
  });
  afterAll(async () => {
    await crm.close();
    await db.drop();
    rmSync(mediaDir, { recursive: true });
  });
  const addGateway = async (settings: Record<string, string>): Promise<void> => {
    const client = `agency-${Math.random().toString(36).slice(2)}`;
    gatewayId = await db.database.gateways.add(
      {
        ...{ crm: 'kyero', client, sourceUrl: crm.url, settings },
        ...{ credentials: null, everySeconds: null, contractEnd: null },
      },
      { hash: Buffer.from(client.padEnd(32).slice(0, 32)), prefix: 'psr_x' },
    );
  };
  beforeEach(() => addGateway({ 'copy-photos': 'non' }));

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
      `<image id="${photo}"><url>http://${crm.hostAndPort}/${path}/${id}-${photo}.jpg?AWSAccessKeyId=K&amp;Expires=${
        inHours(endsInHours) + run
      }&amp;Signature=s${run}</url></image>`;
    return `<images>${one(1)}${one(2)}</images>`;
  };
  const signed = (id: string, signing: Signing, price = '100000'): string =>
    aProperty(id, { price, images: '' }).replace('<images></images>', photos(id, signing));

  async function run(properties: readonly string[]): Promise<RunView> {
    crm.answer = ({ url = '' }) => (url.endsWith('.xml') ? { body: aKyeroFeed(properties) } : photoAt(url));
    const runId = await db.database.runRequests.request({ gatewayId, trigger: 'ops' });
    await runWaiting(db.database, gatewayId, {
      registry,
      outbound: { allowPrivate: new Set([crm.hostAndPort]) },
      media: { place: { folder: mediaDir }, baseUrl: 'https://media.example.org' },
    });
    return (await db.database.runHistory.find(runId))!;
  }

  /** A picture per path; 404 for a photo that a test has removed. */
  const photoAt = (url: string): Answer => {
    const picture = pictures.get(url.replace(/\?.*/, '').replace(/^\/\w+\/\d+/, ''));
    return picture === undefined ? { status: 404 } : { body: picture };
  };
  const photoRequests = (): number => crm.requests.filter(({ url }) => !url.endsWith('.xml')).length;

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

  it.each([1, 2, 3, 50])('finds no change in five runs over %i listings with new signatures', async (count) => {
    const at = (run: number): string[] => ids(count).map((id) => signed(id, { run }));
    await run(at(1));
    for (const again of [2, 3, 4, 5])
      expect(await run(at(again))).toMatchObject({ state: 'unchanged', unchanged: count, changed: 0 });
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

  it('copies signed photos once, and finds no change in five runs', async () => {
    await addGateway({});
    expect(await run(ids(5).map((id) => signed(id, { run: 1 })))).toMatchObject({ state: 'published', added: 5 });
    const first = await listingOf('3');
    const { photos: copied } = JSON.parse(first.body) as Pick<Listing, 'photos'>;
    const copy = { url: expect.stringMatching(/^https:\/\/media\.example\.org\/media\//) as string };
    const plain = { url: 'https://photos.example.org/3/1.jpg' };
    expect(copied).toMatchObject([{ ...copy, largeur: 48, hauteur: 32 }, plain, copy]);
    const requests = photoRequests();
    expect(requests).toBe(10);
    for (const again of [2, 3, 4, 5]) {
      const view = await run(ids(5).map((id) => signed(id, { run: again, endsInHours: -1 })));
      expect(view).toMatchObject({ state: 'unchanged', unchanged: 5, added: 0, changed: 0, removed: 0 });
    }
    expect(await listingOf('3')).toEqual(first);
    expect(photoRequests()).toBe(requests);
  });

  it('gives a copied photo the empreinte that it has at its address', async () => {
    const empreintes = async (): Promise<string[]> =>
      (JSON.parse((await listingOf('1')).body) as Pick<Listing, 'photos'>).photos.map(({ empreinte }) => empreinte);
    await run([signed('1', { run: 1 })]);
    const served = await empreintes();
    await addGateway({});
    await run([signed('1', { run: 1 })]);
    expect(await empreintes()).toEqual(served);
  });

  it('serves the address of a photo that cannot be copied, until a later run copies it', async () => {
    await addGateway({});
    const second = pictures.get('-2.jpg')!;
    pictures.delete('-2.jpg');
    await run([signed('1', { run: 1 })]);
    expect((await listingOf('1')).body).toContain('/1-2.jpg?AWSAccessKeyId=K&Expires=');
    expect(await run([signed('1', { run: 2 })])).toMatchObject({ state: 'unchanged' });
    pictures.set('-2.jpg', second);
    expect(await run([signed('1', { run: 3 })])).toMatchObject({ state: 'published', changed: 1 });
    expect((await listingOf('1')).body).not.toContain('AWSAccessKeyId');
    expect(await run([signed('1', { run: 4 })])).toMatchObject({ state: 'unchanged' });
  });

  it('copies no photo from the host of the source when its requests per day are limited', async () => {
    await addGateway({ 'requests-per-day': '1000' });
    const before = photoRequests();
    expect(await run([signed('1', { run: 1 })])).toMatchObject({ state: 'published', added: 1 });
    expect(photoRequests()).toBe(before);
    expect((await listingOf('1')).body).toContain('AWSAccessKeyId');
  });

  it('copies a photo whose path is new, and counts the listing as changed', async () => {
    await addGateway({});
    await run(ids(3).map((id) => signed(id, { run: 1 })));
    const before = photoRequests();
    const next = ids(3).map((id) => signed(id, { run: 2, path: id === '1' ? 'new' : 'photos' }));
    expect(await run(next)).toMatchObject({ state: 'published', changed: 1, unchanged: 2 });
    expect(photoRequests() - before).toBe(2);
  });

  describe('whose queries are no signatures', () => {
    const queried = (
      versions: Readonly<Record<string, string | number>>,
      prices: Readonly<Record<string, string>> = {},
    ) =>
      Object.entries(versions).map(([id, version]) =>
        aProperty(id, { price: prices[id] ?? '100000' }).replace('1.jpg', `1.jpg?v=${version}`),
      );
    const all = (version: number): Record<string, number> => Object.fromEntries(ids(4).map((id) => [id, version]));

    it('finds no change in five runs in which all queries are new', async () => {
      await run(queried(all(1)));
      const first = await listingOf('2');
      for (const again of [2, 3, 4, 5])
        expect(await run(queried(all(again)))).toMatchObject({ state: 'unchanged', unchanged: 4, changed: 0 });
      expect(await listingOf('2')).toEqual(first);
      const view = await run(queried(all(6), { 2: '95000' }));
      expect(view).toMatchObject({ state: 'published', changed: 1, unchanged: 3 });
    });

    it.each([1, 2, 3, 50])('finds no change in five runs over %i listings with new queries', async (count) => {
      const at = (version: number): string[] => queried(Object.fromEntries(ids(count).map((id) => [id, version])));
      await run(at(1));
      for (const again of [2, 3, 4, 5])
        expect(await run(at(again))).toMatchObject({ state: 'unchanged', unchanged: count, changed: 0 });
    });

    it('publishes the new photo of the only listing one run later, when its query has stayed', async () => {
      await run(queried({ 1: 1 }));
      expect(await run(queried({ 1: 2 }))).toMatchObject({ state: 'unchanged' });
      expect(await run(queried({ 1: 2 }))).toMatchObject({ state: 'published', changed: 1 });
      expect((await listingOf('1')).body).toContain('1.jpg?v=2');
    });

    it('finds no change when listings without queries stay beside those with new ones', async () => {
      const plain = aProperty('9', { price: '100000' });
      await run([...queried(all(1)), plain]);
      expect(await run([...queried(all(2)), plain])).toMatchObject({ state: 'unchanged', unchanged: 5 });
    });

    it('publishes only the listing with new photos when all other queries are new', async () => {
      await run(queried(all(1)));
      const next = queried(all(2)).map((one, index) => (index === 0 ? one.replace('1.jpg?', 'new.jpg?') : one));
      expect(await run(next)).toMatchObject({ state: 'published', changed: 1, unchanged: 3 });
    });

    it('publishes a new query of one photo, because there it is the version of the photo', async () => {
      await run(queried(all(1)));
      expect(await run(queried({ ...all(1), 3: 2 }))).toMatchObject({ state: 'published', changed: 1, unchanged: 3 });
      expect((await listingOf('3')).body).toContain('1.jpg?v=2');
    });

    it('publishes new versions of all photos one run later, when the queries have stayed', async () => {
      await run(queried(all(1)));
      expect(await run(queried(all(2)))).toMatchObject({ state: 'unchanged' });
      expect(await run(queried(all(2)))).toMatchObject({ state: 'published', changed: 4 });
      expect(await run(queried(all(2)))).toMatchObject({ state: 'unchanged', unchanged: 4 });
    });
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
