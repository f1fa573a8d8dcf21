import pg from 'pg';
import { nameOfRole, openDatabase, type RoleName } from '@passerelle/database';
import { GRANTS } from '../../../libs/database/src/roles/grants';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

/** The tables of GRANTS, without the read-only view. */
const TABLES = Object.keys(GRANTS).filter((name) => name !== 'gateway_pause');

// Real: PostgreSQL with the roles that the migrations create.
describe('database roles', () => {
  let db: TestDatabase;
  const clients = {} as Record<RoleName, pg.Client>;

  beforeAll(async () => {
    db = await createTestDatabase();
    for (const role of ['ingest', 'serve', 'operate'] as const) {
      clients[role] = new pg.Client({ connectionString: db.urlOf(role) });
      await clients[role].connect();
    }
    const gatewayId = await db.database.gateways.add(
      {
        ...{ crm: 'kyero', client: 'a', sourceUrl: 'https://crm.example', settings: {}, credentials: null },
        ...{ everySeconds: null, contractEnd: null },
      },
      { hash: Buffer.alloc(32), prefix: 'psr_' },
    );
    await db.database.runRequests.request({ gatewayId, trigger: 'ops' });
  });
  afterAll(async () => {
    for (const client of Object.values(clients)) await client.end();
    await db.drop();
  });

  /** Whether a statement is permitted. Its effect is rolled back. */
  async function may(role: RoleName, sql: string): Promise<boolean> {
    const client = clients[role];
    await client.query('BEGIN');
    try {
      await client.query(sql);
      return true;
    } catch (error) {
      if (error instanceof pg.DatabaseError && error.code === '42501') return false;
      throw error;
    } finally {
      await client.query('ROLLBACK');
    }
  }

  const tables = async (): Promise<string[]> =>
    (
      await db.query<{ name: string }>(
        `SELECT relname AS name FROM pg_class
         WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT relispartition
         ORDER BY 1`,
      )
    ).map(({ name }) => name);

  it('have defined rights on every table', async () => {
    expect(Object.keys(GRANTS).sort()).toEqual(await tables());
  });

  it('have no rights on a table without a definition in GRANTS', async () => {
    await db.query('CREATE TABLE undecided (id integer)');
    try {
      await db.database.migrations.migrate();
      for (const role of ['ingest', 'serve', 'operate'] as const) {
        expect(await may(role, 'SELECT id FROM undecided')).toBe(false);
        expect(await may(role, 'INSERT INTO undecided VALUES (1)')).toBe(false);
      }
    } finally {
      await db.query('DROP TABLE undecided');
    }
  });

  describe('serving role', () => {
    it.each(['source_url', 'sealed_source', 'settings', 'credentials', 'feed_memory'])(
      'cannot read gateway.%s',
      async (column) => {
        expect(await may('serve', `SELECT ${column} FROM gateway`)).toBe(false);
      },
    );

    it('can read the columns of a gateway that it serves', async () => {
      expect(await may('serve', 'SELECT id, crm, client, enabled, contract_end, confirmed_at FROM gateway')).toBe(true);
    });

    it('can insert only into the tables that it writes', async () => {
      const insertable = await db.query<{ name: string }>(
        `SELECT DISTINCT table_name AS name FROM information_schema.column_privileges
         WHERE grantee = $1 AND privilege_type = 'INSERT' ORDER BY 1`,
        [roleName('serve')],
      );
      expect(insertable.map(({ name }) => name)).toEqual([
        'call_note',
        'lead',
        'presented_key',
        'report',
        'run',
        'walk',
        'webhook_endpoint',
      ]);
    });

    it('can update the last use of a key, the requester of a run, inbound webhooks, and pagination sessions', async () => {
      const changeable = await db.query<{ name: string }>(
        `SELECT table_name || '.' || column_name AS name FROM information_schema.column_privileges
         WHERE grantee = $1 AND privilege_type = 'UPDATE' AND table_name <> 'walk' ORDER BY 1`,
        [roleName('serve')],
      );
      expect(changeable.map(({ name }) => name)).toEqual([
        ...['api_key.last_used_on', 'call_note.calls', 'call_note.last_at', 'export_token.last_used_on'],
        ...['run.asked_by', 'run.request_id'],
      ]);
    });

    it.each(TABLES)('can neither delete rows of %s nor truncate it', async (table) => {
      expect(await may('serve', `DELETE FROM ${table}`)).toBe(false);
      expect(await may('serve', `TRUNCATE ${table} CASCADE`)).toBe(false);
    });

    it.each([
      ['write a listing', `UPDATE listing_normalized SET body = ''`],
      ['add a listing', `INSERT INTO current_listing (gateway_id, aff_id, version_id) VALUES (1, 'x', 1)`],
      ['publish a snapshot', 'UPDATE gateway SET current_snapshot_id = 1'],
      ['enable a gateway', 'UPDATE gateway SET enabled = true'],
      ['add a key', `INSERT INTO api_key (gateway_id, hash, prefix) VALUES (1, '', '')`],
      ['change a hash', `UPDATE api_key SET keyed_hash = hash, key_id = 'x'`],
      ['read a presented key', 'SELECT sealed FROM presented_key'],
      ['change a presented key', `UPDATE presented_key SET sealed = ''`],
      ['change the name of the SECRETS_KEY', `UPDATE installation SET secrets_key_name = 'x'`],
      ['move a key to another gateway', 'UPDATE api_key SET gateway_id = 1'],
      ['request a forced run', `INSERT INTO run (gateway_id, trigger, forced) VALUES (1, 'stale-read', true)`],
      ['force a queued run', 'UPDATE run SET forced = true'],
      ['decide about a run', `UPDATE run SET state = 'published'`],
      ['see the holder of a lease', 'SELECT holder FROM gateway_lease'],
      ['see the request budget of a host', 'SELECT key FROM host_budget'],
      ['see the request slots of sources', 'SELECT key FROM request_place'],
      ['see a stored answer of a source', 'SELECT sealed FROM source_answer'],
      ['see a credential of a source', 'SELECT sealed FROM source_credential'],
      ['see an unpublished record', 'SELECT sealed FROM source_detail'],
      ['record a migration', `INSERT INTO schema_migration (timestamp, name) VALUES (1, 'x')`],
      ['create a table', 'CREATE TABLE public.mine (id integer)'],
      ['create a schema', 'CREATE SCHEMA mine'],
      ['drop a table', 'DROP TABLE report'],
      ['become the owner', 'SET ROLE postgres'],
      ['create a sign-in link', `INSERT INTO sign_in_link VALUES ('', 'admin', 0, 'infinity')`],
      ['see a sign-in link', 'SELECT digest FROM sign_in_link'],
      ['see an operator', 'SELECT password_hash FROM operator'],
      ['become the ingesting role', 'ingest'],
    ])('cannot %s', async (_what, sql) => {
      const statement = sql === 'ingest' ? `SET ROLE ${roleName('ingest')}` : sql;
      expect(await may('serve', statement)).toBe(false);
    });
  });

  describe('operating role', () => {
    it.each([
      ['gateway', ['source_url', 'sealed_source', 'settings', 'credentials', 'feed_memory']],
      ['api_key', ['hash', 'keyed_hash', 'key_id']],
      ['export_token', ['hash', 'key_id']],
      ['installation', ['key_pepper']],
      ['webhook_endpoint', ['secret', 'old_secret']],
      ['outbox', ['sealed']],
      ['call_address', ['hash', 'secret']],
      ['notification_channel', ['address', 'secret']],
    ])('cannot read the secrets of %s', async (table, columns) => {
      for (const column of columns) expect(await may('operate', `SELECT ${column} FROM ${table}`)).toBe(false);
    });

    it('can read only the visible part of a source, and nothing of an unsealed source', async () => {
      const { rows } = await clients.operate.query('SELECT source_url, settings, has_credentials FROM shown_sources()');
      expect(rows).toEqual([{ source_url: null, settings: null, has_credentials: false }]);
    });

    it('can read the stored memory of a source, except its records and the digest of its secrets', async () => {
      const [gateway] = await db.query<{ id: number }>('SELECT id FROM gateway LIMIT 1');
      const { id } = gateway!;
      const memory = { mappingKey: 'digest-of-secrets', fingerprint: 'print', etag: '"v1"', sizeBytes: 12, other: 'x' };
      await db.query('UPDATE gateway SET feed_memory = $2 WHERE id = $1', [id, JSON.stringify(memory)]);
      await db.query(`INSERT INTO source_detail (gateway_id, hash, sealed) VALUES ($1, '\\x01', '\\x02')`, [id]);
      const { rows } = await clients.operate.query('SELECT * FROM shown_feed_memory($1)', [id]);
      expect(rows).toEqual([
        {
          ...{ etag: '"v1"', last_modified: null, has_fingerprint: true, size_bytes: '12', compared_at: null },
          ...{ asked_at: null, removed_at: null, anew_since: null, kept_details: 1, kept_since: expect.anything() },
        },
      ]);
      expect(await may('operate', 'SELECT sealed FROM source_detail')).toBe(false);
      expect(await may('serve', 'SELECT etag FROM shown_feed_memory(1)')).toBe(false);
    });

    it.each([
      ['change a record of the audit', `UPDATE audit SET who = 'x'`],
      ['remove a record of the audit', 'DELETE FROM audit'],
      ['remove an operator', 'DELETE FROM operator'],
      ['extend a sign-in link', `UPDATE sign_in_link SET ends_at = 'infinity'`],
      ['change the source of a gateway', `UPDATE gateway SET source_url = 'https://x.example'`],
      ['add a gateway', `INSERT INTO gateway (crm, client, source_url) VALUES ('a', 'b', 'c')`],
      ['remove a gateway', 'DELETE FROM gateway'],
      ['add a key', `INSERT INTO api_key (gateway_id, hash, prefix) VALUES (1, '', '')`],
      ['write a listing', `UPDATE listing_normalized SET body = ''`],
      ['remove a run', 'DELETE FROM run'],
      ['write a report', `INSERT INTO report (gateway_id, status) VALUES (1, 'error')`],
      ['become the owner', 'SET ROLE postgres'],
    ])('cannot %s', async (_what, sql) => {
      expect(await may('operate', sql)).toBe(false);
    });

    it.each([
      ['enable a gateway', 'UPDATE gateway SET enabled = true'],
      ['record a change', `INSERT INTO audit (who, through, act) VALUES ('x', 'console', 'ingest')`],
      ['disable an operator', 'UPDATE operator SET disabled_at = now()'],
      ['create a sign-in link', `INSERT INTO sign_in_link SELECT '', name, session_epoch, now() FROM operator`],
      ['use a sign-in link', 'DELETE FROM sign_in_link'],
      // A trial of a feed counts in the request budget of runs.
      ['count a request', `UPDATE host_budget SET used = used + 1`],
      [
        'take a request slot',
        `INSERT INTO request_place (key, place, holder, until) VALUES ('x', 1, gen_random_uuid(), now())`,
      ],
      ['release a request slot', `DELETE FROM request_place WHERE key = 'x'`],
    ])('can %s', async (_what, sql) => {
      expect(await may('operate', sql)).toBe(true);
    });
  });

  describe('ingesting role', () => {
    it.each([
      ['change a table', 'ALTER TABLE gateway ADD COLUMN mine text'],
      ['drop a table', 'DROP TABLE gateway'],
      ['create a table', 'CREATE TABLE public.mine (id integer)'],
      ['record a migration', `INSERT INTO schema_migration (timestamp, name) VALUES (1, 'x')`],
      ['create a sign-in link', `INSERT INTO sign_in_link VALUES ('', 'admin', 0, 'infinity')`],
      ['see a sign-in link', 'SELECT digest FROM sign_in_link'],
      ['extend a sign-in link', `UPDATE sign_in_link SET ends_at = 'infinity'`],
      ['add a known network of an operator', `INSERT INTO operator_network VALUES ('admin', '192.0.2.0/24')`],
      ['disable the triggers of a table', 'ALTER TABLE gateway DISABLE TRIGGER ALL'],
      ['become the owner', 'SET ROLE postgres'],
    ])('cannot %s', async (_what, sql) => {
      expect(await may('ingest', sql)).toBe(false);
    });

    // The console owns sign-in links and the operators' data. Only the API leaves keys for renewal.
    const OF_OTHERS = [
      'schema_migration',
      'saved_view',
      'follow_up',
      'sign_in_link',
      'operator_network',
      'presented_key',
    ];
    it.each(TABLES.filter((table) => !OF_OTHERS.includes(table)))('can write %s', async (table) => {
      const [grant] = await db.query<{ can: boolean }>(
        `SELECT bool_and(has_table_privilege($1, $2, p)) AS can
         FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) p`,
        [roleName('ingest'), table],
      );
      expect(grant?.can).toBe(true);
    });

    it('can remove a gateway with its rows', async () => {
      const [counted] = await db.query<{ triggers: number }>(
        `SELECT count(*)::int AS triggers FROM pg_trigger WHERE tgrelid = 'gateway'::regclass AND tgoldtable IS NOT NULL`,
      );
      expect(counted?.triggers).toBe(1);
      expect(await may('ingest', 'DELETE FROM gateway')).toBe(true);
    });
  });

  it('are created once by three concurrent migrations, and get their new passwords', async () => {
    const opened = await Promise.all(
      [1, 2, 3].map(() => openDatabase({ url: db.url, applicationName: 'migrating', poolSize: 2 })),
    );
    const serve = 'another-password-of-the-role';
    try {
      await db.query('REVOKE SELECT ON report FROM ' + roleName('serve'));
      await Promise.all(opened.map(({ migrations }) => migrations.migrate({ serve })));
    } finally {
      for (const database of opened) await database.close();
    }
    expect(await may('serve', 'SELECT id FROM report')).toBe(true);
    const old = new pg.Client({ connectionString: db.urlOf('serve') });
    await expect(old.connect()).rejects.toThrow('password authentication failed');
    const url = new URL(db.urlOf('serve'));
    url.password = serve;
    const renewed = new pg.Client({ connectionString: url.href });
    await renewed.connect();
    await renewed.end();
  });

  it('lose every right that GRANTS does not define', async () => {
    await db.query(`GRANT ALL ON gateway TO ${roleName('serve')}`);
    await db.database.migrations.migrate();
    expect(await may('serve', 'SELECT credentials FROM gateway')).toBe(false);
  });

  it('take over a PostgreSQL queue that the owner has created', async () => {
    await db.query('CREATE SCHEMA bullmq');
    await db.query('CREATE TABLE bullmq.job (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY)');
    await db.query(`CREATE FUNCTION bullmq.add(integer) RETURNS integer LANGUAGE sql AS 'SELECT 1'`);
    await db.database.migrations.migrate();
    expect(await may('ingest', 'CREATE SCHEMA IF NOT EXISTS bullmq')).toBe(true);
    expect(await may('ingest', 'ALTER TABLE bullmq.job ADD COLUMN more text')).toBe(true);
    expect(await may('ingest', 'DROP FUNCTION bullmq.add(integer)')).toBe(true);
    expect(await may('serve', 'SELECT id FROM bullmq.job')).toBe(false);
    await db.query('DROP SCHEMA bullmq CASCADE');
  });

  it('cannot be created by a role without the right to create roles, and the error says so', async () => {
    const ingest = await openDatabase({ url: db.urlOf('ingest'), applicationName: 'migrating', poolSize: 2 });
    try {
      // Without a password, the migration creates no role.
      expect(await ingest.migrations.migrate()).toEqual({ applied: [], parts: 3 });
      await expect(ingest.migrations.migrate({ serve: 'x'.repeat(16) })).rejects.toThrow(/may not make roles/);
    } finally {
      await ingest.close();
    }
  });

  const roleName = (role: RoleName): string => nameOfRole(new URL(db.url).pathname.slice(1), role);
});
