import { connectionName, RELEASE } from '@passerelle/settings';
import type { Finding } from '@passerelle/operations';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { FakeWorker } from './fake-worker';
import { type OpsTerminal, opsTerminal } from './ops-terminal';

// Real: PostgreSQL, its roles, the command line in this process, the disks. Fake: the programs, whose
// connections the test opens.
describe('ops doctor', () => {
  let db: TestDatabase;
  const clients: pg.Client[] = [];

  beforeEach(async () => {
    db = await createTestDatabase();
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.end()));
    await db.drop();
  });

  async function connect(role: 'ingest' | 'serve' | 'operate', name: string): Promise<void> {
    const client = new pg.Client({ connectionString: db.urlOf(role), application_name: name });
    client.on('error', () => undefined);
    clients.push(client);
    await client.connect();
  }

  /** Connects as API, ingestor and console do under compose. */
  async function connectAll(): Promise<void> {
    await connect('serve', connectionName('api'));
    await connect('ingest', connectionName('ingestor'));
    await connect('operate', connectionName('console'));
  }

  async function wrong(terminal: OpsTerminal): Promise<Record<string, string>> {
    const { value } = await terminal.json('doctor');
    expect(value).toHaveProperty('findings');
    const { findings } = value as { findings: Finding[] };
    // Omit the finding about the disk, because the disk of the test machine may have any state.
    return Object.fromEntries(
      findings
        .filter(({ check, state }) => state !== 'good' && check !== 'disk')
        .map(({ check, state, says }) => [check, `${state}: ${says}`]),
    );
  }

  it('finds no problem in a healthy installation, with the role that the command line uses', async () => {
    await connectAll();
    const terminal = opsTerminal(db.urlOf('ingest'), { env: { COMPOSE_RELEASE: RELEASE } });
    expect(await wrong(terminal)).toEqual({});
    const { out } = await terminal.ops('doctor');
    expect(out).toMatch(/^ok +database +PostgreSQL \d+\.\d+, \d+ MiB, takes writes$/m);
    expect(out).toMatch(new RegExp(`^ok +releases +api ${RELEASE}, console ${RELEASE}, ingestor ${RELEASE}$`, 'm'));
    expect(out).toMatch(/^ok +compose file/m);
    expect(out).toMatch(/^ok +clocks/m);
    expect(out).toMatch(/disk +\S+: \d+\.\d of \d+\.\d GiB free/);
  });

  it('says what to do about programs of other releases and about the compose file of another release', async () => {
    await connect('serve', 'passerelle-api 0.0.9');
    await connect('ingest', 'passerelle-ingestor');
    const terminal = opsTerminal(db.urlOf('ingest'), { env: { COMPOSE_RELEASE: '0.0.9' } });
    expect(await wrong(terminal)).toEqual({
      releases: `warn: api 0.0.9, ingestor of an unknown release; this command is ${RELEASE}`,
      'compose file': `bad: it is of release 0.0.9, but the image is ${RELEASE}`,
    });
    const { exitCode, out, err } = await terminal.ops('doctor');
    expect([exitCode, err]).toEqual([1, 'error: broken: compose file\n']);
    expect(out).toContain(`2 things to do:\n`);
    expect(out).toContain(`compose file: check out v${RELEASE}`);
  });

  it('reports that no program runs, or that one kind of program is missing', async () => {
    const terminal = opsTerminal(db.urlOf('ingest'));
    expect(await wrong(terminal)).toEqual({
      releases: 'bad: no API, ingestor or console is connected to this database',
    });
    await connect('serve', connectionName('api'));
    expect(await wrong(terminal)).toEqual({ releases: `bad: api ${RELEASE}; no ingestor` });
  });

  it('names missing migrations, and migrations of a newer release', async () => {
    await connectAll();
    await db.query(`INSERT INTO schema_migration (timestamp, name) VALUES (9999999999999, 'Later9999999999999')`);
    const terminal = opsTerminal(db.urlOf('ingest'));
    expect(await wrong(terminal)).toEqual({ schema: 'warn: it has Later9999999999999 of a newer release' });
    const [last] = await db.query<{ name: string }>(
      `DELETE FROM schema_migration WHERE id = (SELECT max(id) FROM schema_migration WHERE name NOT LIKE 'Later%') RETURNING name`,
    );
    expect(await wrong(terminal)).toEqual({
      schema: `bad: it lacks ${last!.name}: programs of this release do not start`,
    });
  });

  it('reports a database without the tables of Passerelle', async () => {
    const bare = await createTestDatabase({ isMigrated: false });
    try {
      expect(await wrong(opsTerminal(bare.url))).toMatchObject({
        schema: expect.stringMatching(/^bad: it lacks First/),
      });
    } finally {
      await bare.drop();
    }
  });

  it('names invalid settings, even of other programs, and shows no secret', async () => {
    await connectAll();
    const env = { RATE_LIMIT_PER_MINUTE: 'many', OPS_TOKEN_FILE: '/nowhere/token', REDIS_URL: 'http://:hunter2@h' };
    const found = await wrong(opsTerminal(db.urlOf('ingest'), { env }));
    expect(found).toEqual({
      settings: expect.stringMatching(/RATE_LIMIT_PER_MINUTE must.*OPS_TOKEN_FILE: .*REDIS_URL must/),
    });
    expect(JSON.stringify(found)).not.toContain('hunter2');
  });

  it('reports a SECRETS_KEY that does not belong to this database', async () => {
    await connectAll();
    const add = ['gateway', 'add', '--crm', 'kyero', '--client', 'a', '--source', 'https://crm.example/a.xml'];
    await opsTerminal(db.urlOf('ingest')).json(...add);
    const wrongKey = { env: { SECRETS_KEY: 'another key of at least 32 characters' } };
    expect(await wrong(opsTerminal(db.urlOf('ingest'), wrongKey))).toEqual({
      secrets:
        'bad: SECRETS_KEY is not the key of this database: set the right one, or during a rotation the previous one as SECRETS_KEY_OLD; ' +
        '1 API keys were hashed with another key; no key opens the source of kyero/a',
    });
    expect(await wrong(opsTerminal(db.urlOf('ingest')))).toEqual({});
  });

  it('reports programs that share a role, and missing roles', async () => {
    await connect('ingest', connectionName('api'));
    await connect('ingest', connectionName('ingestor'));
    const name = new URL(db.url).pathname.slice(1);
    expect(await wrong(opsTerminal(db.urlOf('ingest')))).toEqual({ roles: `warn: api works as ${name}_ingest` });
    await db.query(`DROP OWNED BY ${name}_operate`);
    await db.query(`DROP ROLE ${name}_operate`);
    expect(await wrong(opsTerminal(db.urlOf('ingest')))).toEqual({ roles: `warn: there is no ${name}_operate` });
  });

  it('reports a replica that does not answer, and a server that is not a replica', async () => {
    await connectAll();
    const replica = (DATABASE_READ_URL: string) =>
      wrong(opsTerminal(db.urlOf('ingest'), { env: { DATABASE_READ_URL } }));
    expect(await replica('postgres://127.0.0.1:1/none')).toEqual({
      replica: expect.stringMatching(/^bad: does not answer: .*ECONNREFUSED/),
    });
    expect(await replica(db.urlOf('serve'))).toEqual({
      replica: 'bad: DATABASE_READ_URL names a server that is not a replica',
    });
  });

  it('names hosts whose sources do not answer, and runs that no ingestor takes', async () => {
    await connectAll();
    const terminal = opsTerminal(db.urlOf('ingest'));
    const add = ['gateway', 'add', '--crm', 'kyero', '--client', 'a', '--source', 'https://crm.example/a.xml'];
    await terminal.json(...add);
    const gatewayId = (await db.database.gateways.find('kyero', 'a'))!.id;
    const reason = 'crm.example does not answer';
    await new FakeWorker(db).run(gatewayId, { listings: [] }, {
      state: 'failed',
      reasonCode: 'retry',
      reason,
    } as never);
    await db.query('UPDATE gateway_schedule SET failures = 1, failing_since = now()');
    await db.database.runRequests.request({ gatewayId, trigger: 'schedule' });
    await db.query(`UPDATE run SET requested_at = now() - interval '10 minutes' WHERE state = 'queued'`);
    expect(await wrong(terminal)).toEqual({
      sources: 'warn: crm.example (1): crm.example does not answer',
      runs: 'bad: no ingestor takes runs: one has waited for 10 min',
      queue: 'bad: 1 runs are missing from the queue: it accepts no writes',
    });
  });

  it('reports a read-only database', async () => {
    await connectAll();
    await db.query(`ALTER DATABASE ${new URL(db.url).pathname.slice(1)} SET default_transaction_read_only = on`);
    expect(await wrong(opsTerminal(db.urlOf('ingest')))).toEqual({
      database: expect.stringMatching(/^bad: PostgreSQL \S+ is read-only/),
    });
  });
});
