import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../libs/database/src/data-source';
import { NET_CHANGES } from '../../../libs/database/src/listing/snapshot-changes';
import { GatewayFirst1763935200000 } from '../../../libs/database/src/migrations/0070-gateway-first';
import { CheaperTexts1763967600000 } from '../../../libs/database/src/migrations/0079-cheaper-texts';
import { PARTITIONED_TABLES } from '../../../libs/database/src/partitions/partitioned-tables';
import { compressionOf, type TextCompression } from '../../../libs/database/src/partitions/text-storage';
import { PublishedLists } from '../../support/published-lists';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

const TABLES = ['listing_normalized', 'listing_raw', 'listing_search'];
const LONG = Array.from({ length: 120 }, (_, n) => `https://photos.example.org/maison/${n}.jpg`).join(' ');

// Real: PostgreSQL with every migration, and lists as they are published and read.
describe('rows of a divided database', () => {
  let db: TestDatabase;
  let compression: TextCompression;
  beforeEach(async () => {
    db = await createTestDatabase();
    compression = await compressionOf((sql) => db.query(sql));
  });
  afterEach(() => db.drop());

  /** The first column of the primary keys of the partitions, by table. */
  async function firstOfKeys(): Promise<unknown> {
    const rows = await db.query<{ of: string; first: string }>(
      `SELECT DISTINCT p.inhparent::regclass::text AS of, a.attname::text AS first
       FROM pg_inherits p JOIN pg_index i ON i.indrelid = p.inhrelid AND i.indisprimary
       JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
       WHERE p.inhparent::regclass::text = ANY ($1) ORDER BY 1`,
      [TABLES],
    );
    return Object.fromEntries(rows.map(({ of, first }) => [of, first]));
  }

  async function invalidIndexes(): Promise<unknown> {
    return db.query('SELECT indexrelid::regclass::text AS name FROM pg_index WHERE NOT indisvalid');
  }

  /** Restores the keys and storage settings of the previous release. */
  async function turnBack(): Promise<void> {
    for (const { name, key, gatewayFirst } of PARTITIONED_TABLES) {
      if (gatewayFirst === undefined) continue;
      await db.query(
        `ALTER TABLE ${name} DROP CONSTRAINT ${name}_pkey, ADD CONSTRAINT ${name}_pkey PRIMARY KEY (${key})`,
      );
    }
    for (const part of [0, 1, 2]) await db.query(`ALTER TABLE listing_raw_p${part} SET (toast_tuple_target = 8160)`);
    await db.query('DELETE FROM schema_migration WHERE name = $1', [new GatewayFirst1763935200000().name]);
  }

  /** The number of texts of a table, by their compression method. */
  async function compressions(table: string): Promise<unknown> {
    return db.query(
      `SELECT coalesce(pg_column_compression(body), 'none') AS way, count(*)::int FROM ${table} GROUP BY 1 ORDER BY 1`,
    );
  }

  it('have keys that start with the gateway, and contain long texts as a whole, with lz4 where the server has it', async () => {
    expect(await firstOfKeys()).toEqual(Object.fromEntries(TABLES.map((table) => [table, 'gateway_id'])));
    const lists = await PublishedLists.of(db.database, 'long');
    const id = await lists.publish([{ affId: 'long', intitule: LONG, note: LONG }, { affId: 'short' }]);
    for (const table of ['listing_normalized', 'listing_raw']) {
      const ways =
        compression === 'lz4'
          ? [
              { way: 'lz4', count: 1 },
              { way: 'none', count: 1 },
            ]
          : [{ way: 'none', count: 2 }];
      expect(await compressions(table)).toEqual(ways);
    }
    const elsewhere = await db.query<{ bytes: string }>(
      `SELECT sum(pg_relation_size(reltoastrelid)) AS bytes FROM pg_class WHERE relname LIKE 'listing_%' AND reltoastrelid <> 0`,
    );
    expect(Number(elsewhere[0]?.bytes)).toBe(0);
    const snapshot = { gatewayId: lists.gatewayId, id, total: 2 };
    for (const format of ['normalized', 'raw'] as const) {
      expect(String(await db.database.listings.page(snapshot, format, 0, 9))).toContain(LONG);
    }
  });

  it('are converted while lists are read and published, even after an interruption', async () => {
    await turnBack();
    const lists = await PublishedLists.of(db.database, 'read');
    let id = await lists.publish([{ affId: 'a', note: LONG }]);
    expect(await compressions('listing_raw')).toEqual([{ way: 'none', count: 1 }]);
    // Simulate an interruption: only the index of partition 0 is complete.
    await db.query('CREATE UNIQUE INDEX listing_raw_p0_turned ON listing_raw_p0 (gateway_id, version_id)');
    await db.query('CREATE UNIQUE INDEX listing_raw_p1_turned ON listing_raw_p1 (gateway_id, version_id)');
    await db.query(`UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'listing_raw_p1_turned'::regclass`);
    const migration = { isDone: false };
    const migrated = db.database.migrations.migrate().finally(() => (migration.isDone = true));
    for (let n = 0; !migration.isDone || n < 3; n += 1) {
      id = await lists.publish([{ affId: 'a', note: `${LONG} ${n}` }]);
      const page = await db.database.listings.page({ gatewayId: lists.gatewayId, id, total: 1 }, 'raw', 0, 9);
      expect(String(page)).toContain(`${LONG} ${n}`);
      await sleep(5);
    }

    expect((await migrated).applied).toEqual([new GatewayFirst1763935200000().name]);
    expect(await firstOfKeys()).toEqual(Object.fromEntries(TABLES.map((table) => [table, 'gateway_id'])));
    expect(await invalidIndexes()).toEqual([]);
    expect(await db.query(`SELECT FROM pg_class WHERE relname LIKE '%turned'`)).toEqual([]);
    expect(await compressions('listing_raw')).toContainEqual({
      way: expect.stringMatching(/^(pglz|lz4)$/),
      count: expect.any(Number),
    });
    await lists.publish([]);
    // The keys have the same names as in a new database.
    const keys = await db.query(
      `SELECT FROM pg_constraint WHERE contype = 'p' AND conname ~ '^listing_raw_p[0-2]_pkey$'`,
    );
    expect(keys).toHaveLength(3);
  });

  /** The number of text rows that the server has read so far. */
  async function textsRead(): Promise<number> {
    await db.query('SELECT pg_stat_force_next_flush()');
    const [row] = await db.query<{ read: number }>(
      `SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS read FROM pg_stat_user_tables
       WHERE relname ~ '^listing_(normalized|raw)_p'`,
    );
    return row!.read;
  }

  it('are found by index, even for a gateway without statistics, and changes are read without a comparison of all pairs', async () => {
    for (let n = 0; n < 8; n += 1) await (await PublishedLists.of(db.database, `small-${n}`)).publish([{ affId: 'a' }]);
    await db.query('ANALYZE');
    const lists = await PublishedLists.of(db.database, 'large');
    const { gatewayId } = lists;
    const list = (note: string) => Array.from({ length: 3_000 }, (_, n) => ({ affId: `L${n}`, affNum: `N${n}`, note }));
    const since = await lists.publish(list('a'));
    const id = await lists.publish(list('b'));
    // Connections report their read statistics a second later.
    const settled = async (): Promise<number> => {
      await sleep(1_500);
      return textsRead();
    };
    const before = await settled();
    const ids = Array.from({ length: 100 }, (_, n) => `L${n * 7}`);
    const snapshot = { gatewayId, id, total: 3_000 };
    for (let times = 0; times < 7; times += 1) {
      expect(await db.database.listings.byIds(snapshot, 'raw', ids)).toHaveLength(100);
      expect(await db.database.listings.one(snapshot, 'raw', 'N7')).toContain('"L7"');
    }
    const range = { gatewayId, since, until: id, format: 'raw' } as const;
    expect(await db.database.changes.page(range, 0, 200)).toHaveLength(200);
    expect(await db.database.traces.comparedChanges(gatewayId, 'L7', 10)).toHaveLength(2);
    expect((await settled()) - before).toBeLessThan(1_200);

    const plan = await db.query<{ 'QUERY PLAN': object }>(
      `EXPLAIN (FORMAT json) ${NET_CHANGES.raw} SELECT change, count(*) FROM net GROUP BY change`,
      [gatewayId, since, id],
    );
    expect(JSON.stringify(plan)).not.toMatch(/"Join Filter":"[^"]*aff_id/);
  });

  /** Prepares a database with one partition as the previous release leaves it. */
  async function migratedBefore({ url, query }: TestDatabase): Promise<void> {
    const options = dataSourceOptions({ url, applicationName: 'before' });
    const dataSource = await new DataSource(options).initialize();
    await dataSource.runMigrations({ transaction: 'each' });
    await dataSource.destroy();
    await query('UPDATE installation SET parts = 1');
    const repeated = [new GatewayFirst1763935200000().name, new CheaperTexts1763967600000().name];
    await query('DELETE FROM schema_migration WHERE name = ANY ($1)', [repeated]);
  }

  /** Prepares a database that a process left just before it stored the number of partitions. */
  async function brokenOff({ database, query }: TestDatabase): Promise<void> {
    await database.migrations.migrate({}, 3);
    await query('UPDATE installation SET parts = NULL');
  }

  it.each([
    ['an older database', migratedBefore],
    ['a new database', () => Promise.resolve()],
    ['a database whose division into several partitions was interrupted', brokenOff],
  ])('keep their previous form when %s has one partition', async (_which, prepare) => {
    const one = await createTestDatabase({ isMigrated: false });
    await prepare(one);
    expect(await one.database.migrations.migrate({}, 1)).toMatchObject({ parts: 1 });
    const [key] = await one.query<{ def: string }>(
      `SELECT pg_get_constraintdef(oid) AS def FROM pg_constraint WHERE conname = 'listing_raw_pkey'`,
    );
    const [part] = await one.query<{ options: string[] }>(
      `SELECT reloptions AS options FROM pg_class WHERE relname = 'listing_raw_p0'`,
    );
    await one.drop();

    expect(key?.def).toBe('PRIMARY KEY (version_id, gateway_id)');
    expect(part?.options).toContain(`toast_tuple_target=${compression === 'lz4' ? 128 : 8160}`);
  });
});
