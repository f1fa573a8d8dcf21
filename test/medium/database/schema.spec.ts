import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../libs/database/src/data-source';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

// Real: PostgreSQL with every migration, the entities.
describe('schema', () => {
  let db: TestDatabase;
  let dataSource: DataSource;
  beforeAll(async () => {
    db = await createTestDatabase();
    dataSource = await new DataSource(dataSourceOptions({ url: db.url, applicationName: 'schema' })).initialize();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await db.drop();
  });

  /** TypeORM compares only whether checks and partial indexes exist, not their conditions. */
  it('is the same in the migrations and in the entities', async () => {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('has an entity for each table, except tables that only plain SQL uses', async () => {
    const tables = await db.query<{ name: string }>(
      `SELECT relname::text AS name FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v') AND NOT relispartition ORDER BY 1`,
    );
    const mapped = new Set(dataSource.entityMetadatas.map(({ tableName }) => tableName));
    expect(tables.map(({ name }) => name).filter((name) => !mapped.has(name))).toEqual([
      'announcer',
      'audit',
      'bucket_gateway',
      'bucket_report',
      'call_address',
      'call_note',
      'called_listing',
      'current_listing',
      'export_token',
      'follow_up',
      'former_listing',
      'gateway_lease',
      'gateway_pause',
      'host_budget',
      'installation_day',
      'kept_listing',
      'lead',
      'listing_change',
      'listing_normalized',
      'listing_photo',
      'listing_raw',
      'listing_search',
      'listing_version',
      'notification_channel',
      'notification_notice',
      'notification_rule',
      'notification_service_notice',
      'operator',
      'operator_network',
      'outbox',
      'pause',
      'placement',
      'placement_document',
      'presented_key',
      'publication',
      'request_place',
      'revert_guard',
      'run_log',
      'saved_view',
      'schema_migration',
      'sign_in_link',
      'snapshot_chunk',
      'source_answer',
      'source_credential',
      'source_detail',
      'source_feedback',
      'source_feedback_due',
      'walk',
      'webhook_delivery',
      'webhook_endpoint',
      'webhook_event',
    ]);
  });

  it('returns times to the microsecond, as ISO 8601 in UTC', async () => {
    const { gateways, runHistory, runRequests } = db.database;
    const gatewayId = await gateways.add(
      {
        ...{ crm: 'kyero', client: 'times', sourceUrl: 'file:feed.xml', settings: {} },
        ...{ credentials: null, everySeconds: null, contractEnd: null },
      },
      { hash: Buffer.from('hash'), prefix: 'prefix' },
    );
    const runId = await runRequests.request({ gatewayId, trigger: 'ops' });
    await db.query(`UPDATE run SET started_at = '2026-03-29 02:30:00.123456+01' WHERE id = $1`, [runId]);
    await db.query(`UPDATE api_key SET expires_at = '2099-01-01 00:00:00+00', created_at = '2026-01-02 03:04:05.5+00'`);
    expect(await runHistory.find(runId)).toMatchObject({
      started_at: '2026-03-29T01:30:00.123456+00:00',
      ended_at: null,
    });
    expect((await gateways.find('kyero', 'times'))?.keys).toEqual([
      {
        ...{ id: expect.any(Number), prefix: 'prefix', scope: 'both', networks: null },
        createdAt: '2026-01-02T03:04:05.5+00:00',
        expiresAt: '2099-01-01T00:00:00+00:00',
        lastUsedOn: null,
      },
    ]);
  });
});
