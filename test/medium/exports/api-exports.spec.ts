import { pumpExports } from '../../support/exports/export-pump';
import { addPlacement, statesOf, TERMS } from '../../support/exports/placements';
import { noAnswer, PortalSimulator } from '../../support/exports/portal-simulator';
import { apiTarget } from '../../support/exports/test-targets';
import { type ListedListing, PublishedLists } from '../../support/published-lists';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

const listing = (affId: string, intitule = `House ${affId}`): ListedListing => ({ affId, intitule });
const listed = (...ids: string[]): ListedListing[] => ids.map((id) => listing(id));

// Real: PostgreSQL, the outbox, the engine. Fake: the portal, which keeps state.
describe('exports to a portal with an API', () => {
  let db: TestDatabase;
  let lists: PublishedLists;
  let portal: PortalSimulator;
  let placement: number;
  beforeEach(async () => {
    db = await createTestDatabase();
    lists = await PublishedLists.of(db.database, 'agence-du-port');
    portal = new PortalSimulator();
    placement = await addPlacement(db.database, lists.gatewayId, 'test-api');
  });
  afterEach(() => db.drop());

  const pump = (): Promise<string[]> => pumpExports(db.database, { targets: [apiTarget(portal)] });
  /** Lets the upkeep queue what is due, however long that takes by the clock. */
  const later = async (): Promise<string[]> => {
    await db.query(
      `UPDATE publication SET asked_at = asked_at - interval '1 day', sent_at = sent_at - interval '2 hours'`,
    );
    await db.query('UPDATE placement SET due_at = now() WHERE due_at IS NOT NULL');
    await db.database.exportRuns.enqueueDue(3600, 30);
    return pump();
  };
  const states = (): Promise<Record<string, string>> => statesOf(db.database, placement);

  it('create, replace and remove only what changed, and follow each advert until it is online', async () => {
    await lists.publish(listed('1', '2', '3'));
    expect(await pump()).toEqual([]);
    expect(portal.calls.filter((call) => call.startsWith('create')).toSorted()).toEqual([
      'create 1',
      'create 2',
      'create 3',
    ]);
    await later();
    await later();
    expect(await states()).toEqual({ 1: 'online', 2: 'online', 3: 'online' });
    portal.calls.length = 0;
    // Adverts are created at the same time, so the portal gives its ids in any order.
    const rows = await db.query<{ affId: string; id: string }>(
      'SELECT aff_id AS "affId", portal_id AS id FROM publication',
    );
    const idOf = new Map(rows.map(({ affId, id }) => [affId, id]));
    await lists.publish([listing('1'), listing('2', 'A new title')]);
    await pump();
    expect(portal.calls.filter((call) => !call.startsWith('status')).toSorted()).toEqual([
      `remove ${idOf.get('3')}`,
      `replace ${idOf.get('2')}`,
    ]);
    await later();
    await later();
    expect(await states()).toEqual({ 1: 'online', 2: 'online', 3: 'removed: absent' });
    portal.calls.length = 0;
    await lists.publish([listing('1'), listing('2', 'A new title'), { affId: '4' }]);
    await pump();
    expect(portal.calls.filter((call) => !call.startsWith('status'))).toEqual([]);
    expect(await states()).toMatchObject({ 4: 'waiting: not-ready' });
  });

  it('do not repeat a refused advert until it changes or an operator wants it', async () => {
    await lists.publish([listing('1', 'wrong'), listing('2', 'bad')]);
    await pump();
    await later();
    await later();
    expect(await states()).toEqual({ 1: 'refused: refused', 2: 'refused: refused' });
    portal.calls.length = 0;
    await lists.publish([listing('1', 'wrong'), listing('2', 'bad'), listing('3')]);
    await pump();
    expect(portal.calls.filter((call) => /create|replace/.test(call))).toEqual(['create 3']);
    await db.database.publications.retry(placement, '1');
    await pump();
    expect(portal.calls.filter((call) => call === 'create 1')).toHaveLength(1);
    await lists.publish([listing('1', 'right'), listing('2', 'better'), listing('3')]);
    await pump();
    await later();
    await later();
    expect(await states()).toEqual({ 1: 'online', 2: 'online', 3: 'online' });
    expect(portal.doubles).toBe(0);
  });

  it('look an advert up before they create it again, when the answer was lost', async () => {
    await lists.publish(listed('1'));
    let isLost = false;
    portal.fault = (when, verb) => {
      if (isLost || when !== 'after' || !verb.startsWith('create')) return;
      isLost = true;
      throw noAnswer();
    };
    expect(await pump()).toEqual(['the portal: no answer within 15 seconds']);
    expect(portal.doubles).toBe(0);
    expect(portal.calls).toEqual(expect.arrayContaining(['create 1', 'find 1', 'replace p1']));
    expect(await states()).toEqual({ 1: 'accepted' });
  });

  it('take over adverts of former software by the table of ids', async () => {
    const before = portal.client();
    await before.create('<advert>old</advert>', 'FORMER-7');
    await db.database.placements.set(placement, { ...TERMS, idScheme: 'table', advertIds: { 1: 'FORMER-7' } });
    await lists.publish(listed('1', '2'));
    await pump();
    expect(portal.doubles).toBe(0);
    expect([...portal.present.keys()].toSorted()).toEqual(['2', 'FORMER-7']);
    expect(portal.present.get('FORMER-7')).toContain('House 1');
  });

  it('create an advert again that the portal removed by itself, but not for ever', async () => {
    await lists.publish(listed('1', '2'));
    await pump();
    for (let times = 0; times < 8; times += 1) {
      portal.removeByItself('1');
      await later();
      await db.database.placements.setOn(placement, true);
      await pump();
    }
    expect(portal.calls.filter((call) => call === 'create 1')).toHaveLength(3);
    expect(await states()).toMatchObject({ 1: 'removed: gone' });
  });

  it('wait for an operator when too many adverts would disappear, and remove nothing before', async () => {
    const ids = Array.from({ length: 10 }, (_, at) => `${at}`);
    await lists.publish(listed(...ids));
    await pump();
    await later();
    await lists.publish(listed('0', '1', '2'), { forced: true });
    await pump();
    expect(portal.present.size).toBe(10);
    expect((await db.database.placements.find(placement))?.held).toEqual({
      ...{
        code: 'vanished',
        message: '7 of 10 adverts would disappear at the portal, and 0 would be new',
        total: 10,
        removed: 7,
      },
    });
    expect(await db.database.placements.approve(placement)).toBe(7);
    await pump();
    expect([...portal.present.keys()].toSorted()).toEqual(['0', '1', '2']);
    expect((await db.database.placements.find(placement))?.held).toBeNull();
  });

  it('do nothing at the portal in a dry run, and while the placement is off', async () => {
    await db.database.placements.set(placement, { ...TERMS, isDryRun: true });
    await lists.publish(listed('1', '2'));
    await pump();
    expect(portal.calls).toEqual([]);
    expect((await db.database.placements.find(placement))?.counts).toMatchObject({ ready: 2, added: 2 });
    await db.database.placements.set(placement, TERMS);
    await db.database.placements.setOn(placement, false);
    await pump();
    await lists.publish(listed('1', '2', '3'));
    await pump();
    expect(portal.calls).toEqual([]);
    await db.database.placements.setOn(placement, true);
    await pump();
    expect(portal.present.size).toBe(3);
  });

  it('say in a dry run that a real export would be held, and hold nothing', async () => {
    await lists.publish(listed('1', '2', '3', '4', '5'));
    await pump();
    await db.database.placements.set(placement, { ...TERMS, isDryRun: true });
    await lists.publish(listed('1'), { forced: true });
    await pump();
    expect(await db.database.placements.find(placement)).toMatchObject({
      ...{ result: 'dry-run', held: null },
      counts: { removed: 4, hold: '4 of 5 adverts would disappear at the portal, and 0 would be new' },
    });
    expect(portal.present.size).toBe(5);
  });

  it('are in the figures of their connector: failing, held, refused and unanswered', async () => {
    const figures = async () => {
      const [row] = await db.database.figures.load({ everySeconds: 3600, overduePeriods: 3 });
      return row?.exports;
    };
    await lists.publish([...listed('1', '2', '3', '4', '5'), listing('6', 'wrong')]);
    await pump();
    await db.query(`UPDATE publication SET since = now() - interval '2 hours' WHERE aff_id = '1'`);
    await db.query(`UPDATE publication SET state = 'sent' WHERE aff_id = '1'`);
    expect(await figures()).toEqual({
      ...{ longestFailingSeconds: null, held: 0, ready: 6, refused: 1 },
      oldestUnansweredSeconds: expect.closeTo(7200, -2) as number,
    });
    await lists.publish(listed('1'), { forced: true });
    await pump();
    expect(await figures()).toMatchObject({ held: 1 });
    await db.query(`UPDATE placement SET failing_since = now() - interval '1 hour', failures = 2`);
    expect(await figures()).toMatchObject({ longestFailingSeconds: expect.closeTo(3600, -2) as number });
    await db.database.placements.setOn(placement, false);
    expect(await figures()).toMatchObject({ longestFailingSeconds: null, held: 0, oldestUnansweredSeconds: null });
  });

  it('withdraw one advert, and remove the placement when every advert is offline', async () => {
    await lists.publish(listed('1', '2'));
    await pump();
    await db.database.publications.withdraw(placement, '1');
    await pump();
    expect([...portal.present.keys()]).toEqual(['2']);
    await later();
    expect(await states()).toMatchObject({ 1: 'removed: withdrawn' });
    await db.database.placements.end(placement);
    await pump();
    await later();
    expect(portal.present.size).toBe(0);
    expect(await db.database.placements.find(placement)).toBeNull();
  });

  it('hold an advert back for the hours of the embargo', async () => {
    await db.database.placements.set(placement, { ...TERMS, embargoHours: 24 });
    await lists.publish(listed('1'));
    await pump();
    expect(await states()).toEqual({ 1: 'waiting: embargo' });
    await db.query(`UPDATE listing_change SET at = at - interval '25 hours'`);
    await later();
    expect(portal.present.size).toBe(1);
  });

  it('send only what the rule takes, and at most as many as it permits', async () => {
    await db.database.placements.set(placement, { ...TERMS, rule: { types: ['maison'], most: 2, priority: 'price' } });
    const house = (affId: string, prix: number, typeCode = 'maison'): ListedListing => ({
      ...listing(affId),
      fields: { prix, typeCode },
    });
    await lists.publish([house('1', 100), house('2', 300), house('3', 200), house('4', 900, 'terrain')]);
    await pump();
    expect(await states()).toEqual({ 1: 'waiting: limit', 2: 'accepted', 3: 'accepted', 4: 'waiting: rule' });
  });
});
