import { DataSource, type QueryRunner } from 'typeorm';
import { dataSourceOptions } from '../../../libs/database/src/data-source';
import { PartsByGateway1763881200000 } from '../../../libs/database/src/migrations/0055-parts-by-gateway';
import { MIGRATIONS } from '../../../libs/database/src/migrations/migrations';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

const LISTINGS = 30;

// Real: PostgreSQL, with the schema of the previous release and the rows that its ingestors write.
describe('migration of the previous installation to partitions', () => {
  let db: TestDatabase;
  let dataSource: DataSource;
  let runner: QueryRunner;
  const migration = new PartsByGateway1763881200000();

  beforeEach(async () => {
    db = await createTestDatabase({ isMigrated: false });
    const before = MIGRATIONS.slice(0, MIGRATIONS.indexOf(PartsByGateway1763881200000));
    const options = { ...dataSourceOptions({ url: db.url, applicationName: 'before' }), migrations: before };
    dataSource = await new DataSource(options).initialize();
    await dataSource.runMigrations({ transaction: 'each' });
    runner = dataSource.createQueryRunner();
    await db.query(`INSERT INTO gateway (crm, client, source_url) VALUES ('kyero', 'a', 'a'), ('kyero', 'b', 'b')`);
    for (const gatewayId of [1, 2]) await publishAsBefore(gatewayId, 1);
  });
  afterEach(async () => {
    await runner.release();
    await dataSource.destroy();
    await db.drop();
  });

  /** Writes as the previous release does: without `gateway_id` in tables that lack it in that release. */
  async function publishAsBefore(gatewayId: number, first: number): Promise<void> {
    await db.query(
      `WITH s AS (
         INSERT INTO snapshot (gateway_id, run_id, total, published_at) VALUES (${gatewayId}, 1, ${LISTINGS}, now()) RETURNING id
       ), v AS (
         INSERT INTO listing_version (gateway_id, snapshot_id, aff_id, scope, record_hash, content_hash, fill)
         SELECT ${gatewayId}, s.id, 'l' || n, '', '', '', 0 FROM s, generate_series(${first}, ${first + LISTINGS - 1}) n
         RETURNING id, aff_id, snapshot_id
       ), changes AS (
         INSERT INTO listing_change (snapshot_id, gateway_id, run_id, kind, aff_id, version_id)
         SELECT snapshot_id, ${gatewayId}, 1, 'added', aff_id, id FROM v
       ), current AS (
         INSERT INTO current_listing (gateway_id, aff_id, version_id) SELECT ${gatewayId}, aff_id, id FROM v
         ON CONFLICT (gateway_id, aff_id) DO UPDATE SET version_id = excluded.version_id
       )
       UPDATE gateway SET current_snapshot_id = s.id FROM s WHERE gateway.id = ${gatewayId}`,
    );
    const ofSnapshot = `v.snapshot_id = (SELECT current_snapshot_id FROM gateway WHERE id = ${gatewayId})`;
    for (const table of ['listing_normalized', 'listing_raw']) {
      await db.query(
        `INSERT INTO ${table} (version_id, body) SELECT v.id, '{"affId":"' || v.aff_id || '"}' FROM listing_version v WHERE ${ofSnapshot}`,
      );
    }
    await db.query(
      `INSERT INTO listing_search (version_id, form, fields, words)
       SELECT v.id, 1, '{}', '' FROM listing_version v WHERE ${ofSnapshot}`,
    );
    await db.query(
      `INSERT INTO snapshot_chunk (snapshot_id, chunk, version_ids)
       SELECT snapshot_id, 0, array_agg(id ORDER BY id) FROM listing_version v WHERE ${ofSnapshot} GROUP BY 1`,
    );
  }

  /** The number of rows of each gateway in each table, and the constraints that are not validated. */
  async function stored(): Promise<unknown> {
    const counts = TABLES.map(
      (table) => `SELECT '${table}' AS of, gateway_id, count(*)::int AS rows FROM ${table} GROUP BY gateway_id`,
    );
    return {
      rows: await db.query(`${counts.join(' UNION ALL ')} ORDER BY 1, 2`),
      divided: await db.query(
        `SELECT c.relname::text AS name FROM pg_class c WHERE relkind = 'p' AND relnamespace = 'public'::regnamespace ORDER BY 1`,
      ),
      doubtful: await db.query(`SELECT conname FROM pg_constraint WHERE NOT convalidated`),
      invalid: await db.query(`SELECT indexrelid::regclass FROM pg_index WHERE NOT indisvalid`),
      keys: await db.query(
        `SELECT count(*)::int AS keys FROM pg_constraint WHERE contype = 'f' AND conrelid::regclass::text LIKE '%\\_p0'`,
      ),
    };
  }
  const TABLES = [
    ...['current_listing', 'listing_change', 'listing_normalized', 'listing_photo', 'listing_raw', 'listing_search'],
    ...['listing_version', 'snapshot', 'snapshot_chunk'],
  ];
  const expected = {
    rows: TABLES.filter((of) => of !== 'listing_photo').flatMap((of) =>
      [1, 2].map((gateway_id) => ({ of, gateway_id, rows: of.startsWith('snapshot') ? 1 : LISTINGS })),
    ),
    divided: TABLES.map((name) => ({ name })),
    ...{ doubtful: [], invalid: [] },
    keys: [{ keys: 8 }],
  };

  it('keeps all rows of a gateway in one partition, with their keys', async () => {
    await migration.up(runner);
    expect(await stored()).toEqual(expected);
    expect(await db.query('SELECT parts FROM installation')).toEqual([{ parts: 1 }]);
  });

  it('lets processes of the previous release write and delete rows', async () => {
    const before = await db.query<{ last: number }>('SELECT max(id) AS last FROM listing_version');
    await migration.up(runner);
    await publishAsBefore(2, 1);
    const [row] = await db.query<{ first: number }>(
      'SELECT min(id) AS first FROM listing_raw r JOIN listing_version v ON v.id = r.version_id WHERE r.gateway_id = 2 AND v.id > $1',
      [before[0]!.last],
    );
    expect(row!.first).toBe(before[0]!.last + 1);
    await db.query('DELETE FROM gateway WHERE id = 2');
    expect(await stored()).toEqual({ ...expected, rows: expected.rows.filter(({ gateway_id }) => gateway_id === 1) });
  });

  it('keeps the rights of the roles', async () => {
    await db.query('CREATE ROLE before_division');
    try {
      await db.query('GRANT SELECT, INSERT ON listing_raw TO before_division');
      await db.query('GRANT SELECT, UPDATE (approved) ON snapshot TO before_division');
      await db.query('GRANT USAGE ON SEQUENCE listing_version_id_seq TO before_division');
      await migration.up(runner);
      const may = await db.query(
        `SELECT has_table_privilege('before_division', 'listing_raw', 'INSERT') AS raw,
                has_column_privilege('before_division', 'snapshot', 'approved', 'UPDATE') AS approved,
                has_column_privilege('before_division', 'snapshot', 'total', 'UPDATE') AS total,
                has_sequence_privilege('before_division', 'listing_version_id_seq', 'USAGE') AS numbers`,
      );
      expect(may).toEqual([{ raw: true, approved: true, total: false, numbers: true }]);
    } finally {
      await db.query('DROP OWNED BY before_division');
      await db.query('DROP ROLE before_division');
    }
  });

  it.each([
    ...['fill_gateway', 'UPDATE listing_raw', 'CREATE UNIQUE INDEX CONCURRENTLY listing_version_p0', '_parts (LIKE'],
    ...[
      'NOT VALID',
      'VALIDATE CONSTRAINT snapshot_fits',
      'ATTACH PARTITION',
      'VALIDATE CONSTRAINT listing_raw_p0',
      'installation',
    ],
  ])('continues after an interruption: %s', async (step) => {
    const query = runner.query.bind(runner);
    let isBroken = false;
    const breaking = jest.spyOn(runner, 'query').mockImplementation(async (sql: string, parameters?: object) => {
      if (sql.includes(step)) {
        isBroken = true;
        throw new Error('the connection is gone');
      }
      return (await query(sql, parameters as unknown[])) as unknown;
    });
    await expect(migration.up(runner)).rejects.toThrow('the connection is gone');
    breaking.mockRestore();
    expect([isBroken, runner.isTransactionActive]).toEqual([true, false]);
    await migration.up(runner);
    expect(await stored()).toEqual(expected);
  });

  it('blocks no statement for more than half a second', async () => {
    const reader = dataSource.createQueryRunner();
    await reader.startTransaction();
    await reader.query('SELECT FROM listing_raw LIMIT 1');
    const migrating = migration.up(runner);
    const waits: number[] = [];
    for (let reads = 0; reads < 30; reads += 1) {
      // Measured by the server's clock, because other processes may delay this process on a busy machine.
      const [read] = await db.query<{ waitMs: number }>(
        'SELECT extract(epoch FROM clock_timestamp() - statement_timestamp())::float8 * 1000 AS "waitMs" FROM listing_raw LIMIT 1',
      );
      waits.push(read!.waitMs);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await reader.commitTransaction();
    await reader.release();
    await migrating;
    expect(Math.max(...waits)).toBeLessThan(2_000);
    expect(await stored()).toEqual(expected);
  });
});
