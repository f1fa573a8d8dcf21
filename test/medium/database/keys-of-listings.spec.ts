import { PublishedLists } from '../../support/published-lists';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

const NOT_THERE = 9_007_199_254_740_991;

// Real: PostgreSQL with every migration, lists as they are published.
describe('rows of listings', () => {
  let db: TestDatabase;
  let gatewayId: number;
  beforeAll(async () => {
    db = await createTestDatabase();
    const lists = await PublishedLists.of(db.database, 'agency');
    gatewayId = lists.gatewayId;
    await lists.publish([{ affId: 'a' }, { affId: 'b' }]);
  });
  afterAll(() => db.drop());

  const BELONGING = ['listing_normalized', 'listing_raw', 'current_listing'];
  const counts = async (): Promise<unknown> => {
    const [row] = await db.query<{ counts: number[] }>(
      `SELECT ARRAY[${BELONGING.map((table) => `(SELECT count(*)::int FROM ${table})`).join(', ')}] AS counts`,
    );
    return row?.counts;
  };

  it('are refused in current_listing when their listing version does not exist', async () => {
    const orphan = `INSERT INTO current_listing (gateway_id, aff_id, version_id) VALUES (${gatewayId}, 'missing', ${NOT_THERE})`;
    await expect(db.query(orphan)).rejects.toMatchObject({ code: '23503' });
  });

  it('have texts and search entries that leave with their version, also of several gateways in one statement', async () => {
    const others = await Promise.all(['one', 'two'].map((name) => PublishedLists.of(db.database, name)));
    for (const lists of others) await lists.publish([{ affId: 'a' }]);
    for (const lists of others) await lists.publish([{ affId: 'a', intitule: 'other' }]);
    const texts = async (): Promise<unknown> =>
      (
        await db.query<{ n: number[] }>(
          `SELECT ARRAY[${['normalized', 'raw', 'search'].map((table) => `(SELECT count(*)::int FROM listing_${table})`).join()}] AS n`,
        )
      )[0]?.n;
    expect(await texts()).toEqual([6, 6, 6]);
    await db.query(
      `DELETE FROM listing_version v WHERE NOT EXISTS (SELECT FROM current_listing c WHERE c.version_id = v.id)`,
    );
    expect(await texts()).toEqual([4, 4, 4]);
    for (const lists of others) await db.database.gateways.remove(lists.gatewayId);
    expect(await texts()).toEqual([2, 2, 2]);
  });

  it('prevent PostgreSQL from deleting a version that the current list uses', async () => {
    const removal = `DELETE FROM listing_version WHERE gateway_id = ${gatewayId}`;
    await expect(db.query(removal)).rejects.toMatchObject({ code: '23503' });
    expect(await counts()).toEqual([2, 2, 2]);
  });

  it('are removed with their gateway', async () => {
    await db.database.gateways.remove(gatewayId);
    expect(await counts()).toEqual([0, 0, 0]);
  });
});
