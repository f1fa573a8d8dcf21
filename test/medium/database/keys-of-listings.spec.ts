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

  const orphan = (table: string): string =>
    table === 'current_listing'
      ? `INSERT INTO current_listing (gateway_id, aff_id, version_id) VALUES (${gatewayId}, 'nobody', ${NOT_THERE})`
      : `INSERT INTO ${table} (version_id, gateway_id, body) VALUES (${NOT_THERE}, ${gatewayId}, '{}')`;
  const BELONGING = ['listing_normalized', 'listing_raw', 'current_listing'];
  const counts = async (): Promise<unknown> => {
    const [row] = await db.query<{ counts: number[] }>(
      `SELECT ARRAY[${BELONGING.map((table) => `(SELECT count(*)::int FROM ${table})`).join(', ')}] AS counts`,
    );
    return row?.counts;
  };

  it.each(BELONGING)('are refused in %s when their listing version does not exist', async (table) => {
    await expect(db.query(orphan(table))).rejects.toMatchObject({ code: '23503' });
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
