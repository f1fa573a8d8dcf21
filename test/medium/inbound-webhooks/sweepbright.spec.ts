import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import type { ApiServer } from '../../simulated/apis/api-server';
import { SWEEPBRIGHT_CREDENTIALS, type SimulatedEstate, simulateSweepbright } from '../../simulated/apis/sweepbright';
import { arriving } from '../../simulated/apis/unreliable-requests';
import { createRandom } from '../../../tools/simulator/random';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { type NotifiedGateway, notifiedGateway } from './webhook-crm';

// Real: PostgreSQL, HTTP, the connector, the media store. Fake: SweepBright; the test notes its webhooks as the API
// does.
describe('run of a CRM with webhooks and no list', () => {
  let db: TestDatabase;
  let crm: ApiServer;
  let folder: string;
  let gateway: NotifiedGateway;
  const estates = new Map<string, SimulatedEstate>();
  const dead = new Set<string>();
  const photos = new Map<string, Buffer>();

  beforeAll(async () => {
    for (const [id, background] of Object.entries({ p1: '#345', p2: '#543', p3: '#354' })) {
      photos.set(
        id,
        await sharp({ create: { width: 64, height: 48, channels: 3, background } })
          .jpeg()
          .toBuffer(),
      );
    }
  });
  beforeEach(async () => {
    estates.clear();
    dead.clear();
    for (const id of ['a', 'b', 'c', 'd']) estates.set(id, { id });
    folder = await mkdtemp(join(tmpdir(), 'photos-'));
    crm = await simulateSweepbright({ estates, photo: (id) => photos.get(id)!, isDead: () => dead.has('*') });
    db = await createTestDatabase();
    const media = { place: { folder }, baseUrl: 'https://photos.example.org' };
    const source = { crm: 'sweepbright', host: crm.host, credentials: SWEEPBRIGHT_CREDENTIALS };
    gateway = await notifiedGateway(db, source, { media });
  });
  afterEach(async () => {
    await db.drop();
    await crm.close();
    await rm(folder, { recursive: true });
  });

  const ids = async (): Promise<unknown[]> => (await gateway.listings()).map(({ affId }) => affId);
  const price = (amount: number): object => ({ price: { amount, currency: 'EUR', hidden: false } });
  const askedFor = (path: RegExp): number => crm.requests.filter(({ url }) => path.test(url.pathname)).length;
  const passDays = (days: number): Promise<object[]> =>
    db.query(`UPDATE called_listing SET confirmed_at = confirmed_at - make_interval(days => $1)`, [days]);

  it('has nothing to publish and fails before the first webhook', async () => {
    expect(await gateway.run({ trigger: 'schedule' })).toMatchObject({ state: 'failed' });
    await gateway.call('a', 'b');
    expect(await gateway.run()).toMatchObject({ state: 'published', added: 2 });
    expect(await ids()).toEqual(['a', 'b']);
  });

  it('adds, changes and removes the named listings, in any order of webhooks', async () => {
    await gateway.call('a', 'b', 'c');
    await gateway.run();
    estates.delete('a');
    estates.set('b', { id: 'b', members: price(275_000) });
    await gateway.call('d', 'b', 'a', 'd', 'unknown');
    expect(await gateway.run()).toMatchObject({ state: 'published', added: 1, changed: 1, removed: 1 });
    expect((await gateway.listings()).map(({ affId, prix }) => [affId, prix])).toEqual([
      ['b', 275_000],
      ['c', 250_000],
      ['d', 250_000],
    ]);
  });

  it('requests each listing that had no webhook for a week, and warns about the changes that it finds', async () => {
    await gateway.call('a', 'b', 'c');
    await gateway.run();
    estates.set('b', { id: 'b', members: price(275_000) });
    estates.delete('c');
    await gateway.run({ trigger: 'schedule' });
    expect(await ids()).toEqual(['a', 'b', 'c']);
    await passDays(7);
    const run = await gateway.run({ trigger: 'schedule' });
    expect(run).toMatchObject({ state: 'published', changed: 1, removed: 1 });
    expect(await gateway.warningsOf(run)).toEqual(expect.arrayContaining([{ code: 'missed_call', count: 2 }]));
    const asked = askedFor(/estates/);
    await gateway.run({ trigger: 'schedule' });
    expect(askedFor(/estates/)).toBe(asked);
  });

  it('publishes the right list after it has requested all listings, when 1,000 webhooks are lost, doubled and disordered', async () => {
    // Change the settings before the first run, because a change makes the next run request all listings.
    await db.query(`UPDATE gateway SET settings = '{"max-vanished-share": "1", "max-replaced-share": "1"}'`);
    const random = createRandom(31, 'estates');
    estates.clear();
    for (let n = 1; n <= 80; n += 1) estates.set(`e${n}`, { id: `e${n}`, members: price(100_000) });
    await gateway.call(...estates.keys());
    await gateway.run();
    const made = Array.from({ length: 1_000 }, () => {
      const id = `e${random.integer(1, 80)}`;
      // A removed listing does not return under the same identifier.
      if (random.chance(0.02)) estates.delete(id);
      else if (estates.has(id)) estates.set(id, { id, members: price(random.rounded(100_000, 900_000, 1_000)) });
      return id;
    });
    const arrived = arriving(made, { lost: 0.6, doubled: 0.3, late: 0.3 }, random);
    // The first 20 listings get no webhook, so only the requests for all listings find their changes.
    for (const id of arrived.filter((one) => Number(one.slice(1)) > 20)) await gateway.call(id);
    await gateway.run();
    const shown = async (): Promise<object> =>
      Object.fromEntries((await gateway.listings()).map(({ affId, prix }) => [affId as string, prix]));
    const inCrm = Object.fromEntries(
      [...estates].map(([id, { members }]) => [id, (members as { price: { amount: number } }).price.amount]),
    );
    expect(await shown()).not.toEqual(inCrm);
    await passDays(7);
    await gateway.run({ trigger: 'schedule' });
    expect(await shown()).toEqual(inCrm);
  });

  it('is held when all listings without a webhook are gone, because the CRM may have moved or been replaced', async () => {
    await gateway.call('a', 'b', 'c');
    await gateway.run();
    estates.clear();
    await passDays(7);
    expect(await gateway.run({ trigger: 'schedule' })).toMatchObject({ state: 'held' });
    expect(await ids()).toEqual(['a', 'b', 'c']);
  });

  it('requests the other listings when all named listings are gone, and is held when the other listings are gone too', async () => {
    await gateway.call('a', 'b', 'c');
    await gateway.run();
    estates.clear();
    await gateway.call('a');
    expect(await gateway.run()).toMatchObject({ state: 'held' });
    expect(await ids()).toEqual(['a', 'b', 'c']);

    for (const id of ['b', 'c']) estates.set(id, { id });
    expect(await gateway.run({ trigger: 'schedule' })).toMatchObject({ state: 'published', removed: 1 });
    expect(await ids()).toEqual(['b', 'c']);
  });

  it('removes nothing when the requests for other listings fail', async () => {
    await gateway.call('a', 'b', 'c');
    await gateway.run();
    estates.delete('a');
    await gateway.call('a');
    crm.fault = ({ url }) => (/estates\/[bc]/.test(url.pathname) ? { kind: 'status', status: 503 } : undefined);
    expect(await gateway.run()).toMatchObject({ state: 'held' });
    expect(await ids()).toEqual(['a', 'b', 'c']);
  });

  it('publishes a project with its units, and removes a unit that the project no longer has', async () => {
    const unit = (id: string): object => ({ id, type: 'apartment', ...price(200_000) });
    const project = (...units: string[]): SimulatedEstate => ({
      id: 'P',
      members: { is_project: true, properties: units.map(unit) },
    });
    estates.set('P', project('U1', 'U2'));
    await gateway.call('P', 'a', 'b', 'c');
    await gateway.run();
    expect(await ids()).toEqual(['P', 'U1', 'U2', 'a', 'b', 'c']);
    estates.set('P', project('U2', 'U3'));
    await gateway.call('P');
    await gateway.run();
    expect(await ids()).toEqual(['P', 'U2', 'U3', 'a', 'b', 'c']);
    estates.delete('P');
    await gateway.call('P');
    await gateway.run();
    expect(await ids()).toEqual(['a', 'b', 'c']);
  });

  it('copies photos once, whatever their addresses are, and keeps the copies after the addresses have expired', async () => {
    estates.set('a', { id: 'a', photos: ['p1', 'p2'] });
    await gateway.call('a');
    await gateway.run();
    const [before] = await gateway.listings();
    const shown = before?.['photos'] as { url: string; empreinte: string }[];
    expect(shown.map(({ url }) => new URL(url).pathname.split('/')[1])).toEqual(['media', 'media']);
    expect(askedFor(/images/)).toBe(2);
    dead.add('*');
    await gateway.call('a');
    expect(await gateway.run()).toMatchObject({ state: 'unchanged' });
    expect([askedFor(/images/), await gateway.listings()]).toEqual([2, [before]]);
    estates.set('a', { id: 'a', photos: ['p1', 'p3'] });
    await gateway.call('a');
    const run = await gateway.run();
    expect(await gateway.warningsOf(run)).toEqual([{ code: 'photo_refused', count: 1 }]);
    expect((await gateway.listings())[0]?.['photos']).toEqual([shown[0]]);
  });
});
