import pg from 'pg';
import { makeCurrent } from '../../../libs/database/src/snapshot/publish';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { addGateway, someListings } from '../api/api-under-test';

const LISTINGS = 400;

// Real: PostgreSQL. Fake: the run that has read a list.
describe('publication of a list', () => {
  let target: TestDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    target = await createTestDatabase();
    client = new pg.Client({ connectionString: target.url });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await target.drop();
  });

  /** The number of change rows that the server has read so far. */
  async function changesRead(): Promise<number> {
    await client.query('SELECT pg_stat_force_next_flush()');
    const { rows } = await client.query<{ read: number }>(
      `SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS read FROM pg_stat_user_tables WHERE relname LIKE 'listing\\_change\\_p%'`,
    );
    return rows[0]!.read;
  }

  it("reads the list's changes only once, even when PostgreSQL has statistics only about other gateways", async () => {
    for (let n = 0; n < 8; n += 1) await addGateway(target.database, { listings: someListings(5) });
    await client.query('ANALYZE');
    const gateway = await addGateway(target.database, { listings: someListings(LISTINGS) });
    const { rows } = await client.query<{ base: number; id: number }>(
      `WITH made AS (
         INSERT INTO snapshot (gateway_id, run_id, total) SELECT $1, run_id, total FROM snapshot WHERE gateway_id = $1 RETURNING id, run_id
       ), changes AS (
         INSERT INTO listing_change (snapshot_id, gateway_id, run_id, kind, aff_id, version_id)
         SELECT m.id, $1, m.run_id, 'changed', c.aff_id, c.version_id FROM made m, current_listing c WHERE c.gateway_id = $1
       )
       SELECT made.id, g.current_snapshot_id AS base FROM made, gateway g WHERE g.id = $1`,
      [gateway.id],
    );
    const { id: snapshotId, base: baseSnapshotId } = rows[0]!;
    const before = await changesRead();

    await makeCurrent(client as pg.PoolClient, {
      ...{ gatewayId: gateway.id, snapshotId, baseSnapshotId },
      ...{ feedMemory: {}, approved: false },
    });

    // A scan of the whole table would also read the changes of the first list.
    expect((await changesRead()) - before).toBeLessThanOrEqual(3 * LISTINGS);
    expect((await changesRead()) - before).toBeGreaterThan(0);
  });
});
