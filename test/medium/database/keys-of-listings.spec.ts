import { DataSource, type QueryRunner } from 'typeorm';
import { dataSourceOptions } from '../../../libs/database/src/data-source';
import { KeysOfTextsAndListings1763769600000 } from '../../../libs/database/src/migrations/0024-keys-of-texts-and-listings';
import { PublishedLists } from '../../support/published-lists';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

const NOT_THERE = 9_007_199_254_740_991;

// Real: PostgreSQL with every migration, lists as they are published.
describe('the rows of listings', () => {
  let db: TestDatabase;
  let dataSource: DataSource;
  let gatewayId: number;
  beforeAll(async () => {
    db = await createTestDatabase();
    dataSource = await new DataSource(dataSourceOptions({ url: db.url, applicationName: 'keys' })).initialize();
    const lists = await PublishedLists.of(db.database, 'agency');
    gatewayId = lists.gatewayId;
    await lists.publish([{ affId: 'a' }, { affId: 'b' }]);
  });
  afterAll(async () => {
    await dataSource.destroy();
    await db.drop();
  });

  const orphan = (table: string): string =>
    table === 'current_listing'
      ? `INSERT INTO current_listing (gateway_id, aff_id, version_id) VALUES (${gatewayId}, 'nobody', ${NOT_THERE})`
      : `INSERT INTO ${table} (version_id, body) VALUES (${NOT_THERE}, '{}')`;
  const BELONGING = ['listing_normalized', 'listing_raw', 'current_listing'];
  const counts = async (): Promise<unknown> => {
    const [row] = await db.query<{ counts: number[] }>(
      `SELECT ARRAY[${BELONGING.map((table) => `(SELECT count(*)::int FROM ${table})`).join(', ')}] AS counts`,
    );
    return row?.counts;
  };

  it.each(BELONGING)('are refused in %s without their version', async (table) => {
    await expect(db.query(orphan(table))).rejects.toMatchObject({ code: '23503' });
  });

  it('keep a version that the current list has: who removes it gets an error', async () => {
    const removal = `DELETE FROM listing_version WHERE gateway_id = ${gatewayId}`;
    await expect(db.query(removal)).rejects.toMatchObject({ code: '23503' });
    expect(await counts()).toEqual([2, 2, 2]);
  });

  describe('of an installation before there were keys', () => {
    const migration = new KeysOfTextsAndListings1763769600000();
    async function keys(): Promise<unknown[]> {
      return db.query(
        `SELECT conrelid::regclass::text AS of, convalidated AS valid FROM pg_constraint
         WHERE contype = 'f' AND conname LIKE '%version_id_fkey' AND conrelid::regclass::text = ANY ($1) ORDER BY 1`,
        [BELONGING],
      );
    }
    let runner: QueryRunner;
    beforeEach(async () => {
      runner = dataSource.createQueryRunner();
      await migration.down(runner);
      for (const table of BELONGING) await db.query(orphan(table));
    });
    afterEach(() => runner.release());
    const migrated = BELONGING.toSorted().map((table) => ({ of: table, valid: true }));

    it('get them, and lose what belonged to no version', async () => {
      expect([await counts(), await keys()]).toEqual([[3, 3, 3], []]);
      await migration.up(runner);
      expect([await counts(), await keys()]).toEqual([[2, 2, 2], migrated]);
    });

    it.each(['CREATE INDEX', 'LOCK TABLE', 'DROP TRIGGER', 'DELETE FROM listing_raw', 'VALIDATE'])(
      'get them at the second try, when the first was broken off at %s',
      async (step) => {
        const query = runner.query.bind(runner);
        const breaking = jest.spyOn(runner, 'query').mockImplementation(async (sql: string) => {
          if (sql.includes(step)) throw new Error('the connection is gone');
          return query(sql);
        });
        await expect(migration.up(runner)).rejects.toThrow('the connection is gone');
        breaking.mockRestore();
        expect(runner.isTransactionActive).toBe(false);
        await migration.up(runner);
        expect([await counts(), await keys()]).toEqual([[2, 2, 2], migrated]);
      },
    );

    it('still let a gateway leave with all that is its own', async () => {
      await migration.up(runner);
      await db.database.gateways.remove(gatewayId);
      expect(await counts()).toEqual([0, 0, 0]);
    });
  });
});
