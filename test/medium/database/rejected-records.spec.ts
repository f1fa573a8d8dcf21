import pg from 'pg';
import { ListingTraces } from '@passerelle/database';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { addGateway, type SeededGateway, someListings } from '../api/api-under-test';

// Real: PostgreSQL. Fake: the run that rejects the record.
describe('search for a rejected record', () => {
  let target: TestDatabase;
  let gateways: SeededGateway[];
  let pool: pg.Pool;

  beforeAll(async () => {
    target = await createTestDatabase();
    pool = new pg.Pool({ connectionString: target.url });
    gateways = [];
    for (let n = 0; n < 3; n += 1) gateways.push(await addGateway(target.database, { listings: someListings(1) }));
  });
  afterAll(async () => {
    await pool.end();
    await target.drop();
  });

  async function reject(gateway: SeededGateway, recordId: string | null): Promise<void> {
    await target.query(
      `INSERT INTO rejection (run_id, position, record_id, code, message)
       SELECT max(id), 1, $2, 'missing_id', '' FROM run WHERE gateway_id = $1`,
      [gateway.id, recordId],
    );
  }

  it('finds a record by its whole identifier, however long and however similar to others', async () => {
    const start = 'https://crm.example.org/objects/'.padEnd(3_000, '0');
    await reject(gateways[0]!, `${start}1`);
    await reject(gateways[1]!, `${start}2`);
    await reject(gateways[2]!, null);

    const traces = new ListingTraces(pool);
    expect(await traces.gatewaysWith(`${start}1`, 10)).toEqual([gateways[0]!.id]);
    expect(await traces.gatewaysWith(start, 10)).toEqual([]);
  });

  it('uses an index', async () => {
    await target.query('BEGIN');
    await target.query('SET LOCAL enable_seqscan = off');
    const plan = await target.query(
      `EXPLAIN SELECT run_id FROM rejection WHERE left(record_id, 100) = left('a', 100) AND record_id = 'a' LIMIT 10`,
    );
    await target.query('ROLLBACK');
    expect(JSON.stringify(plan)).toContain('rejection_of_record_start');
  });
});
