import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@passerelle/database';
import { openBackups } from '@passerelle/database/operators';
import { ManifestKeys, RETENTION } from '@passerelle/domain';
import { PublishedLists } from '../../support/published-lists';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { versionsOf } from '../../support/versions-of';
import { eventually } from '../../support/waiting';

// Real: PostgreSQL with every migration, and lists as they are published and read.
describe('tables that are divided by gateway', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await createTestDatabase();
  });
  afterAll(() => db.drop());

  it('serve look-ups by key from an index, even when a partition was empty at planning time', async () => {
    await db.query('ANALYZE');
    await db.query('SET enable_seqscan = off');
    const plans = await db.query<Record<string, string>>(
      `EXPLAIN SELECT FROM ONLY listing_version_p2 x WHERE id = 1 AND gateway_id = 1 FOR KEY SHARE OF x`,
    );
    expect(JSON.stringify(plans)).toContain('listing_version_p2_pkey');
    const removal = await db.query<Record<string, string>>(
      `EXPLAIN SELECT FROM ONLY current_listing_p2 x WHERE version_id = 1 AND gateway_id = 1 FOR KEY SHARE OF x`,
    );
    expect(JSON.stringify(removal)).toContain('current_listing_p2_version_id');
    await db.query('RESET enable_seqscan');
  });

  it('keep their number of partitions, whatever a later migration requests', async () => {
    expect(await db.database.migrations.migrate({}, 7)).toEqual({ applied: [], parts: 3 });
    const [row] = await db.query<{ parts: number }>(
      `SELECT count(*)::int AS parts FROM pg_inherits WHERE inhparent = 'listing_raw'::regclass`,
    );
    expect(row).toEqual({ parts: 3 });
  });

  it.each(['auto', 'force_generic_plan'])(
    "are read and written only in the gateway's partition, with plan_cache_mode %s",
    async (mode) => {
      const url = new URL(db.url);
      url.searchParams.set('options', `-c plan_cache_mode=${mode}`);
      const database = await openDatabase({ url: url.href, applicationName: mode });
      const client = `only-${mode.replaceAll('_', '-')}`;
      const lists = await PublishedLists.of(database, client);
      const { gatewayId } = lists;
      await db.query('SELECT pg_stat_reset()');
      const ids = [];
      for (const version of Array.from({ length: RETENTION.snapshots.count + 1 }, (_, index) => String(index))) {
        ids.push(
          await lists.publish([{ affId: 'a', affNum: 'n', intitule: version, photos: ['p'] }, { affId: version }]),
        );
      }
      const [first = 0] = ids;
      const id = ids.at(-1) ?? 0;
      const snapshot = { gatewayId, id, total: 2 };
      for (let times = 0; times < 7; times += 1) {
        await database.servedGateways.find('kyero', client, 60);
        await database.listings.page(snapshot, 'normalized', 0, 50);
        await database.listings.publishedAt(snapshot, 0, 50);
        await database.listings.manifest(snapshot);
        expect(await database.listings.one(snapshot, 'raw', 'n')).toContain('"a"');
        expect(await database.changes.count({ gatewayId, since: first, until: id, format: 'raw' })).toMatchObject({
          changed: 1,
        });
        await database.changes.page({ gatewayId, since: first, until: id, format: 'normalized' }, 0, 10);
        expect(await versionsOf(database, gatewayId, id)).toHaveLength(2);
        await database.photos.ofListing(gatewayId, 'a');
        await database.photos.named(gatewayId, ['p']);
        await database.feedStates.load(gatewayId);
        await database.traces.trace(gatewayId, 'n');
        await database.traces.comparedChanges(gatewayId, 'a', 10);
        await database.gateways.loadForIngest(gatewayId);
        const page = { gatewayId, reader: Buffer.from(`r${times}`), isFirst: true, upTo: 1, begin: id };
        expect(await database.paginationSessions.step(page, 60)).toMatchObject({ id });
      }
      await database.snapshots.rehash(gatewayId, [{ versionId: 1, recordHash: 'r', duties: 0 }]);
      await database.snapshots.recount(snapshot, {});
      await db.query(
        'UPDATE snapshot SET published_at = now() - make_interval(hours => $3) WHERE gateway_id = $1 AND id < $2',
        [...[gatewayId, id, RETENTION.snapshots.hours + 1]],
      );
      // Otherwise the server may report its counts only during the next round.
      await db.query('SELECT pg_stat_force_next_flush()');
      expect(await database.snapshots.prune(gatewayId)).toBe(1);
      await database.close();
      // A server process reports its counts when it ends.
      await eventually(async () => {
        const text = 'SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = $1';
        const [left] = await db.query<{ count: number }>(text, [mode]);
        return left?.count === 0 || undefined;
      });

      const parts = await db.query<{ part: string; isOurs: boolean; scans: number }>(
        `SELECT i.inhparent::regclass::text AS part, satisfies_hash_partition(i.inhparent, 3, right(c.relname, 1)::int, $1::int) AS "isOurs",
                sum(pg_stat_get_numscans(c.oid) + coalesce((
                  SELECT sum(pg_stat_get_numscans(x.indexrelid)) FROM pg_index x WHERE x.indrelid = c.oid), 0))::int AS scans
         FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid AND c.relkind = 'r' GROUP BY 1, 2 ORDER BY 1, 2`,
        [gatewayId],
      );
      expect(parts.filter(({ isOurs, scans }) => !isOurs && scans > 0)).toEqual([]);
      // Each table must have reads in the gateway's partition.
      expect(parts.filter(({ isOurs, scans }) => isOurs && scans === 0)).toEqual([]);
    },
  );

  it("have the new database's number of partitions when a backup with another number of partitions is restored", async () => {
    const folder = await mkdtemp(join(tmpdir(), 'passerelle-parts-'));
    const lists = await PublishedLists.of(db.database, 'moved');
    const id = await lists.publish([{ affId: 'x' }, { affId: 'y' }]);
    const other = await createTestDatabase({ isMigrated: false });
    try {
      expect(await other.database.migrations.migrate({}, 5)).toMatchObject({ parts: 5 });
      const keys = new ManifestKeys('k'.repeat(32));
      const [here, there] = await Promise.all(
        [db.url, other.url].map((url) => openBackups({ url, applicationName: 'test' })),
      );
      await here!.take(folder, keys);
      await there!.restore(folder, { keys, acceptForeign: false });
      await Promise.all([here!.close(), there!.close()]);
      const snapshot = { gatewayId: lists.gatewayId, id, total: 2 };
      for (const format of ['normalized', 'raw'] as const) {
        expect(String(await other.database.listings.page(snapshot, format, 0, 9))).toBe(
          String(await db.database.listings.page(snapshot, format, 0, 9)),
        );
      }
      expect(await other.database.listings.manifest(snapshot)).toEqual(await db.database.listings.manifest(snapshot));
    } finally {
      await other.drop();
      await rm(folder, { recursive: true });
    }
  });
});
