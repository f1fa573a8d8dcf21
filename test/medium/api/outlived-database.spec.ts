import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bucket, type KeptGateway, openBucket, parseBucketUrl, readGateway } from '@passerelle/bucket';
import type { BucketLook } from '@passerelle/database';
import { hashApiKey, SecretBox, visiblePrefix } from '@passerelle/domain';
import type { BucketLists } from '../../../apps/ingestor/src/bucket/bucket-lists';
import { S3_CREDENTIALS, type S3Server, startS3Server } from '../../../libs/media/src/testing/s3-server';
import type { Answer } from '../../support/answer';
import { type BreakableLink, linkTo } from '../../support/breakable-link';
import { bucketLists } from '../../support/gateway-runner';
import { seeded } from '../../support/seeded';
import {
  addGateway,
  type ApiUnderTest,
  publishListings,
  type SeededGateway,
  someListings,
  startApi,
  type TestListing,
} from './api-under-test';
import { until } from '../../support/waiting';

const SECRETS_KEY = 'what seals the lists in the bucket of the tests';
/** What names the key that seals. */
const SEAL = new SecretBox(SECRETS_KEY).digest('pages bucket').toString('hex');
const random = seeded(66);

// Real: HTTP, a PostgreSQL that can be cut off, a server of the S3 protocol, and what brings lists there.
describe('a database that does not answer, with PAGES_BUCKET_URL', () => {
  let folder: string;
  let server: S3Server;
  let bucket: Bucket;
  let link: BreakableLink;
  let api: ApiUnderTest;
  let lists: BucketLists;
  let gateway: SeededGateway;
  let listings: TestListing[];
  let oldToken: string;

  beforeAll(async () => {
    Object.assign(process.env, S3_CREDENTIALS);
    folder = await mkdtemp(join(tmpdir(), 'pages-'));
    server = await startS3Server(folder, ['pages']);
    const place = parseBucketUrl(server.url('pages', 'lists'), 'PAGES_BUCKET_URL');
    bucket = openBucket(place, 'pages');
    api = await startApi(
      { pagesBucket: place, secretsKey: SECRETS_KEY, opsToken: 'the-token-of-the-operators' },
      { wayTo: async (url) => (link = await linkTo(url)).url },
    );
    lists = bucketLists(api.database, { pagesBucket: bucket, secretsKey: SECRETS_KEY });
    gateway = await addGateway(api.database, { listings: listOf(0) });
    listings = listOf(1);
    oldToken = (await read('/v1/properties?per_page=1')).headers['x-snapshot']!;
    await lists.catchUp();
    await publishListings(api.database, gateway.id, listings);
    // The pages of one walk come from one list: without this the reader stays with the former one.
    api.clock.skip(1);
    await lists.catchUp();
  });
  afterEach(async () => {
    await link.mend();
    await until(async () => (await api.get('/health/ready')).text.includes('"ready":true}'));
  });
  afterAll(async () => {
    bucket.close();
    await api.close();
    await link.close();
    await server.stop();
    await rm(folder, { recursive: true });
  });

  /** Some 300 listings; some of the second generation are others, gone or new. */
  function listOf(generation: number): TestListing[] {
    const all = someListings(300, { commentaires: 'Près de la forêt, « au calme » — 2 €' });
    if (generation === 0) return all;
    const changed = all.map((listing, at) =>
      at % 37 === 5 ? { ...listing, intitule: `Maison ${generation} à Orléans` } : listing,
    );
    return [{ affId: 'à/b c', affNum: 'REF 3', intitule: 'Nouvelle' }, ...changed.filter((_, at) => at % 41 !== 7)];
  }

  const read = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
    api.get(`${path}${path.includes('?') ? '&' : '?'}${gateway.query}`, { ...gateway.headers, ...headers });

  /** What is the same however often it is asked for. */
  const sameOf = ({ status, headers, text }: Answer): unknown => {
    const own = ['x-request-id', 'x-served-from', 'date', 'connection', 'keep-alive', 'content-length'];
    const others = Object.entries(headers).filter(([name]) => !own.includes(name));
    return { status, headers: Object.fromEntries(others), text: text.replace(/"(request_id|timestamp)":"[^"]+"/g, '') };
  };

  /** Every page of every usual size and some others, both lists, the manifest, listings by both of their names. */
  function everyRead(): string[] {
    const pages = [1, 7, 50, 64, 200].flatMap((size) => {
      const last = Math.ceil(listings.length / size);
      const some =
        size === 1
          ? Array.from({ length: 12 }, () => 1 + random(last))
          : Array.from({ length: last + 1 }, (_, at) => at + 1);
      return some.map((page) => `/v1/properties?page=${page}&per_page=${size}`);
    });
    const token = `snapshot=${oldToken}`;
    const ids = ['à/b c', 'L-3', 'L-299', 'nobody'].map(encodeURIComponent).join(',');
    return [
      ...pages,
      ...[1, 2, 3].flatMap((page) => [`/v1/properties?${token}&page=${page}&per_page=150`]),
      ...['/v1/manifest', `/v1/manifest?${token}`, `/v1/properties?ids=${ids}`, `/v1/properties?${token}&ids=${ids}`],
      ...['à/b c', 'L-1', 'L-8', 'REF 3', 'REF 12', 'nobody', 'L-300'].map(
        (id) => `/v1/properties/${encodeURIComponent(id)}`,
      ),
    ];
  }

  it('is outlived by every page, manifest and listing, byte for byte, and the answers say so', async () => {
    const paths = everyRead();
    const before = new Map<string, Answer>();
    for (const path of paths) before.set(path, await read(path));
    await link.cut();
    await until(async () => (await read('/v1/manifest')).headers['x-served-from'] === 'bucket');

    for (const path of paths) {
      const now = await read(path);
      expect([path, sameOf(now)]).toEqual([path, sameOf(before.get(path)!)]);
      if (now.status === 200) expect([path, now.headers['x-served-from']]).toEqual([path, 'bucket']);
    }
    expect(paths.filter((path) => before.get(path)?.headers['x-served-from'] !== undefined)).toEqual([]);
    const { etag } = before.get('/v1/manifest')!.headers;
    expect((await read('/v1/manifest', { 'if-none-match': etag! })).status).toBe(304);
    const said = await fetch(`${api.url}/metrics`, { headers: { authorization: 'Bearer the-token-of-the-operators' } });
    const metrics = await said.text();
    expect(metrics).toMatch(/passerelle_api_bucket_reads_total{result="answered"} [1-9]/);
    expect(metrics).toContain('passerelle_api_reads_outlive_database{part="lists"} 1');
    expect((await api.get('/health/ready')).body).toMatchObject({ data: { ready: true, database: 'away' } });
  });

  it('is outlived by no walk that this process has not seen: its list may be another one', async () => {
    const page = (number: number): Promise<Answer> =>
      read(`/v1/properties?per_page=100&page=${number}`, { 'user-agent': 'Another/1.0' });
    await link.cut();
    await until(async () => (await read('/v1/manifest')).headers['x-served-from'] === 'bucket');
    const refused = await page(2);
    expect([refused.status, refused.headers['retry-after']]).toEqual([500, '5']);
    expect([(await page(1)).status, (await page(2)).status]).toEqual([200, 200]);
  });

  it('is outlived by the refusal of keys that were revoked, and of names that there are not', async () => {
    const { key } = gateway;
    await api.database.gateways.rotateKey(gateway.id, await hashedKey('another-key-of-the-gateway'), 0);
    await lists.catchUp();
    await link.cut();

    expect((await api.get(`/v1/properties?${gateway.query}`, { key })).status).toBe(401);
    expect((await api.get(`/v1/properties?${gateway.query}`, { key: 'another-key-of-the-gateway' })).status).toBe(200);
    expect((await api.get('/v1/properties?crm=kyero&client=nobody', { key })).status).toBe(401);
    gateway.headers.key = 'another-key-of-the-gateway';
  });

  it('keeps reports that come meanwhile, and takes each in once', async () => {
    await link.cut();
    const { crm, client } = gateway;
    const report = { crm, client, status: 'success', count: 12, message: 'reported meanwhile' };
    const { status, body } = await api.send('POST', '/v1/report', { body: report, headers: gateway.headers });
    expect([status, body]).toMatchObject([200, { data: { saved: true, count: 12 } }]);
    await link.mend();

    const kept = await reportFiles();
    await lists.catchUp();
    // As when the process was killed before it could remove what it has taken in.
    for (const { name, bytes } of kept) await bucket.put(name, bytes);
    await lists.catchUp();

    const stored = await api.testDatabase.query<{ message: string }>(
      `SELECT message FROM report WHERE gateway_id = $1`,
      [gateway.id],
    );
    expect([kept.length, stored.map(({ message }) => message), (await reportFiles()).length]).toEqual([
      1,
      ['reported meanwhile'],
      0,
    ]);
  });

  it('says that there is no answer where the bucket lies, and none of its bytes', async () => {
    const fresh = await addGateway(api.database, { listings: listOf(0) });
    await lists.catchUp();
    const name = `gateways/${fresh.crm}/${fresh.client}`;
    const readFresh = (path: string): Promise<Answer> => api.get(`${path}?${fresh.query}`, fresh.headers);
    const refusal = async (): Promise<unknown[]> => {
      const { status, headers } = await readFresh('/v1/properties');
      return [status, headers['retry-after']];
    };
    const said = await objectOf(name);
    await publishListings(api.database, fresh.id, listOf(1));
    await lists.catchUp();
    const newer = await objectOf(name);
    const { headers } = await readFresh('/v1/manifest');
    await link.cut();

    // Older than what was served.
    await bucket.put(name, said);
    expect(await refusal()).toEqual([500, '30']);
    // Signed by somebody else.
    await bucket.put(name, new SecretBox('a key that is not that of the installation').seal('{}'));
    expect(await refusal()).toEqual([500, '30']);
    // Of another gateway.
    await bucket.put(name, await objectOf(`gateways/${gateway.crm}/${gateway.client}`));
    expect(await refusal()).toEqual([500, '30']);
    // The same, where this process has served nothing before.
    const ofAnother = await objectOf(`gateways/${gateway.crm}/${gateway.client}`);
    await bucket.put('gateways/kyero/unseen', ofAnother);
    const unseen = await api.get('/v1/properties?crm=kyero&client=unseen', gateway.headers);
    expect([unseen.status, unseen.headers['retry-after']]).toEqual([500, '30']);
    // Itself, with other texts of the same length.
    await bucket.put(name, newer);
    for await (const { name: object } of bucket.list(`lists/${fresh.id}/`))
      if (object.endsWith('.texts')) await bucket.put(object, (await objectOf(object)).fill('x'));
    expect(await refusal()).toEqual([500, '30']);
    // What is right in it is still served.
    expect((await readFresh('/v1/manifest')).headers['x-snapshot']).toBe(headers['x-snapshot']);
  });

  it('writes what has changed, and removes what is kept no more', async () => {
    const fresh = await addGateway(api.database, { listings: listOf(0) });
    await lists.catchUp();
    const before = await namesOf(`lists/${fresh.id}/`);
    await publishListings(
      api.database,
      fresh.id,
      listOf(0).map((one, at) => (at === 150 ? { ...one, prix: 1 } : one)),
    );
    await lists.catchUp();
    const after = await namesOf(`lists/${fresh.id}/`);
    // One piece, and the index.
    expect(after.filter((object) => !before.includes(object))).toHaveLength(2);

    await api.database.gateways.remove(fresh.id);
    await lists.catchUp();
    expect([await namesOf(`lists/${fresh.id}/`), await namesOf(`gateways/${fresh.crm}/${fresh.client}`)]).toEqual([
      [],
      [],
    ]);
  });

  it('goes on without a bucket that fails, and catches up with it', async () => {
    const fresh = await addGateway(api.database);
    const broken = openBucket(parseBucketUrl('s3://pages?endpoint=http://127.0.0.1:9&path-style=true', 'X'), 'pages');
    const failing = bucketLists(api.database, { pagesBucket: broken, secretsKey: SECRETS_KEY });
    await publishListings(api.database, fresh.id, listOf(0));
    await failing.prepare(fresh.id, 1);
    await failing.catchUp();
    expect(failing.figures).toMatchObject({ written: 0 });
    expect(failing.figures.failed).toBeGreaterThan(0);
    await failing.onApplicationShutdown();

    await lists.catchUp();
    await link.cut();
    expect((await api.get(`/v1/properties?${fresh.query}`, fresh.headers)).status).toBe(200);
  });

  it('goes on with the other gateways where the list of one cannot be written', async () => {
    const spoilt = await addGateway(api.database, { listings: listOf(0) });
    // More than are written at a time.
    const others = await Promise.all(
      Array.from({ length: 8 }, () => addGateway(api.database, { listings: listOf(0) })),
    );
    await api.testDatabase.query('DELETE FROM listing_normalized WHERE gateway_id = $1', [spoilt.id]);
    await lists.catchUp();
    expect(await saidOf(spoilt)).toMatchObject({ enabled: true, current: null, lists: [] });
    for (const { crm, client } of others) expect(await namesOf(`gateways/${crm}/${client}`)).toHaveLength(1);
    expect(lists.waits).toBe(1);

    // It is tried again, though nothing is heard of it.
    await publishListings(api.database, spoilt.id, listOf(1));
    await lists.catchUp();
    expect((await saidOf(spoilt))?.lists).toHaveLength(1);
    expect(lists.waits).toBe(0);
  });

  it('says who may read a gateway whose list cannot be written, and what is newest of it in the bucket', async () => {
    const spoilt = await addGateway(api.database, { listings: listOf(0) });
    await lists.catchUp();
    const before = (await saidOf(spoilt))!;
    await publishListings(api.database, spoilt.id, listOf(1));
    await api.testDatabase.query('DELETE FROM listing_normalized WHERE gateway_id = $1', [spoilt.id]);
    await api.database.gateways.rotateKey(spoilt.id, await hashedKey('the-key-behind-the-revoked-one'), 0);
    await lists.catchUp();

    const said = (await saidOf(spoilt))!;
    expect(said.keys.map(({ id }) => id)).not.toContain(before.keys[0]!.id);
    expect([said.keys.length, said.lists.length, said.current]).toEqual([1, 1, before.lists[0]!.id]);
    // Not by the confirmation of the list that is missing.
    expect(said.confirmedAtMs).toBe(said.lists[0]!.confirmedAtMs);
    // Whoever never heard of it finds that the list is missing.
    expect((await api.database.bucketRows.look(spoilt.id - 1, 1, SEAL)).behind).toEqual([spoilt.id]);
    await link.cut();
    expect((await api.get(`/v1/properties?${spoilt.query}`, spoilt.headers)).status).toBe(401);
    const { status, headers } = await api.get(`/v1/properties?${spoilt.query}`, {
      key: 'the-key-behind-the-revoked-one',
    });
    expect([status, headers['x-snapshot']]).toEqual([200, before.lists[0]!.token]);
    await link.mend();
    await api.database.gateways.remove(spoilt.id);
    await lists.catchUp();
  });

  it('does not open to a key that was revoked where the bucket could not be told', async () => {
    const fresh = await addGateway(api.database, { listings: listOf(0) });
    await lists.catchUp();
    const rotated = await hashedKey('the-key-that-the-bucket-does-not-know');
    await api.database.gateways.rotateKey(fresh.id, rotated, 0);
    const readFresh = (): Promise<Answer> => api.get(`/v1/properties?${fresh.query}`, fresh.headers);
    expect((await readFresh()).status).toBe(401);
    await link.cut();
    expect((await readFresh()).status).toBe(401);
  });

  it('brings a list that takes longer than an attempt, and each of its pieces once', async () => {
    const fresh = await addGateway(api.database, { listings: someListings(1_000) });
    const puts: string[] = [];
    const slowly = listsWith(async (name) => {
      await sleep(20);
      puts.push(name);
    });
    slowly.attemptMs = 1;
    await until(async () => {
      slowly.soon(fresh.id);
      await slowly.catchUp();
      return (await saidOf(fresh))?.lists.length === 1;
    });
    const pieces = puts.filter(isPiece);
    expect([new Set(pieces).size, pieces.length > 4, slowly.figures.failed > 0]).toEqual([pieces.length, true, true]);
    await link.cut();
    expect((await api.get(`/v1/properties?per_page=200&page=5&${fresh.query}`, fresh.headers)).status).toBe(200);
  });

  it('leaves a list that is being written when the process ends', async () => {
    const fresh = await addGateway(api.database, { listings: someListings(1_000) });
    const puts: string[] = [];
    let stopping: Promise<void> | undefined;
    const stopped = listsWith((name) => {
      puts.push(name);
      if (isPiece(name)) stopping ??= stopped.onApplicationShutdown();
      return Promise.resolve();
    });
    stopped.soon(fresh.id);
    await until(() => Promise.resolve(stopping !== undefined));
    await stopping;
    // Those that were on their way.
    expect(puts.filter(isPiece)).toHaveLength(4);
    await lists.catchUp();
  });

  it('looks through all gateways, so many at a time, those included that were removed', async () => {
    const { bucketRows } = api.database;
    const some = await Promise.all(Array.from({ length: 5 }, () => addGateway(api.database, { listings: listOf(0) })));
    await lists.catchUp();
    await api.database.gateways.setEnabled(some[1]!.id, false);
    await api.database.gateways.remove(some[2]!.id);
    await api.database.gateways.remove(some[4]!.id);
    const looks: BucketLook[] = [];
    for (let after: number | null = 0; after !== null; after = looks.at(-1)!.next) {
      looks.push(await bucketRows.look(after, 2, SEAL));
    }
    const behind = looks.flatMap((look) => look.behind);
    expect(behind).toEqual([some[1]!.id, some[2]!.id, some[4]!.id].sort((a, b) => a - b));
    expect(looks.length).toBeGreaterThan(2);

    // Nobody heard of it: the look that follows a doubt finds it.
    lists.doubt();
    await lists.catchUp();
    expect((await bucketRows.look(0, 1_000, SEAL)).behind).toEqual([]);
  });

  /** What brings lists into the bucket, and waits for this before each object. */
  function listsWith(beforePut: (name: string) => Promise<void>): BucketLists {
    const told: Bucket = {
      ...bucket,
      async put(name, bytes) {
        await beforePut(name);
        await bucket.put(name, bytes);
      },
      close: () => undefined,
    };
    return bucketLists(api.database, { pagesBucket: told, secretsKey: SECRETS_KEY });
  }

  function isPiece(name: string): boolean {
    return name.endsWith('.texts');
  }

  function saidOf(of: SeededGateway): Promise<KeptGateway | null> {
    return readGateway(bucket, new SecretBox(SECRETS_KEY), of);
  }

  async function namesOf(start: string): Promise<string[]> {
    const names: string[] = [];
    for await (const { name } of bucket.list(start)) names.push(name);
    return names;
  }

  async function objectOf(name: string): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const part of (await bucket.read(name))!) parts.push(part as Buffer);
    return Buffer.concat(parts);
  }

  async function reportFiles(): Promise<{ name: string; bytes: Buffer }[]> {
    return Promise.all((await namesOf('reports/')).map(async (name) => ({ name, bytes: await objectOf(name) })));
  }

  async function hashedKey(key: string): Promise<{ hash: Buffer; prefix: string }> {
    return { hash: hashApiKey(key, await api.database.installation.keyPepper()), prefix: visiblePrefix(key) };
  }
});
