import { pumpExports } from '../../support/exports/export-pump';
import { addPlacement, statesOf, TERMS } from '../../support/exports/placements';
import { PortalSimulator } from '../../support/exports/portal-simulator';
import { ADDRESS_TARGET, apiTarget } from '../../support/exports/test-targets';
import { PublishedLists } from '../../support/published-lists';
import { type ConsoleUnderTest, startConsole, type Visitor } from './console-under-test';

// Real: the console with its role, PostgreSQL, the engine. Fake: the portal.
describe('pages about portals', () => {
  let console: ConsoleUnderTest;
  let lists: PublishedLists;
  let portal: PortalSimulator;
  let api: number;
  let address: number;
  let operator: Visitor;
  const matrix = '/gateways/kyero/agence/adverts';
  const house = (affId: string, intitule = `House ${affId}`) => ({ affId, intitule });

  beforeAll(async () => {
    console = await startConsole();
    const { database } = console.db;
    lists = await PublishedLists.of(database, 'agence');
    portal = new PortalSimulator();
    api = await addPlacement(database, lists.gatewayId, 'test-api');
    address = await addPlacement(database, lists.gatewayId, 'test-address');
    operator = await console.signedIn('operator');
    await lists.publish([...['1', '2', '3', '4', '5'].map((id) => house(id)), house('6', 'wrong'), { affId: '7' }]);
    await pump();
  });
  afterAll(() => console.close());

  const pump = (): Promise<string[]> =>
    pumpExports(console.db.database, { targets: [apiTarget(portal), ADDRESS_TARGET] });

  it('show each advert with its state and reason, and filter them', async () => {
    const { text } = await operator.get(matrix);
    for (const words of [
      '7 listings',
      'test-api (1)',
      'test-address (2)',
      'refused',
      'the title is wrong',
      'not ready',
    ])
      expect(text).toContain(words);
    expect((await operator.get(`${matrix}?state=refused`)).text).toContain('1 listing');
    expect((await operator.get(`${matrix}?placement=${address}&state=refused`)).text).toContain('0 listings');
    expect((await operator.get(`${matrix}?listing=3`)).text).toContain('1 listing');
    const viewer = await console.signedIn('viewer');
    expect((await viewer.get(matrix)).text).not.toContain('type="checkbox"');
  });

  it('take chosen adverts offline with a reason, and send them again', async () => {
    const advert = [`${api}:1`, `${api}:2`];
    expect((await operator.post(matrix, { act: 'withdraw', advert, reason: '' }, matrix)).text).toContain(
      'the reason is missing',
    );
    expect((await operator.post(matrix, { act: 'retry' }, matrix)).text).toContain('Choose at least one advert.');
    const done = await operator.post(matrix, { act: 'withdraw', advert, reason: 'the owner asks' }, matrix);
    expect(done).toMatchObject({ status: 303, location: `${matrix}?changed=2` });
    expect((await operator.get(done.location ?? '')).text).toContain('2 adverts are changed with the next export.');
    await pump();
    expect([...portal.present.keys()].toSorted()).toEqual(['3', '4', '5']);
    await console.db.query(`UPDATE publication SET state = 'removed', portal_id = NULL WHERE state = 'removing'`);
    await operator.post(matrix, { act: 'retry', advert }, matrix);
    await pump();
    expect([...portal.present.keys()].toSorted()).toEqual(['1', '2', '3', '4', '5']);
    const acts = await console.db.query<{ act: string; reason: string | null }>(
      `SELECT act, reason FROM audit WHERE act LIKE 'publication%' ORDER BY id`,
    );
    expect(acts).toEqual([
      ...[1, 2].map(() => ({ act: 'publication withdraw', reason: 'the owner asks' })),
      ...[1, 2].map(() => ({ act: 'publication retry', reason: null })),
    ]);
  });

  it('refuse adverts of other gateways', async () => {
    const other = await PublishedLists.of(console.db.database, 'other');
    const foreign = await addPlacement(console.db.database, other.gatewayId, 'test-api');
    const { status } = await operator.post(matrix, { act: 'retry', advert: `${foreign}:1` }, matrix);
    expect(status).toBe(422);
    await console.db.database.placements.remove(foreign);
  });

  it('pause, resume and approve a placement, with the reason in the audit', async () => {
    const path = `/exports/${address}`;
    await operator.post(path, { act: 'pause' }, path);
    expect((await operator.get('/exports?only=off')).text).toContain('test-address');
    expect((await operator.get('/exports?only=off')).text).not.toContain('test-api');
    await operator.post(path, { act: 'resume' }, path);
    await lists.publish([house('1')], { forced: true });
    await pump();
    const { text } = await operator.get(path);
    expect(text).toContain('5 of 6 adverts would disappear at the portal, and 0 would be new');
    expect((await operator.get('/exports?only=held')).text).toContain('waiting for a decision');
    expect((await operator.post(path, { act: 'approve', reason: '' }, path)).status).toBe(422);
    expect(await operator.post(path, { act: 'approve', reason: 'sold' }, path)).toMatchObject({ status: 303 });
    await pump();
    expect(await statesOf(console.db.database, address)).toMatchObject({ 1: 'delivered', 5: 'removed: absent' });
    const [act] = await console.db.query('SELECT act, reason FROM audit ORDER BY id DESC LIMIT 1');
    expect(act).toEqual({ act: 'placement approve', reason: 'sold' });
    expect((await operator.post(path, { act: 'approve', reason: 'again' }, path)).text).toContain('is not held');
    expect((await operator.get('/exports/999')).status).toBe(404);
  });

  it('say in a dry run that a real export would be held', async () => {
    await console.db.database.placements.set(api, { ...TERMS, isDryRun: true });
    await pump();
    expect((await operator.get(`/exports/${api}`)).text).toContain('A real export would be held');
  });
});
