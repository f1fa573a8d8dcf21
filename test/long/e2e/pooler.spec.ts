import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunView } from '@passerelle/domain';
import { createSimulator, type Simulator } from '../../../tools/simulator/simulator';
import { describeWith } from '../../support/command-on-path';
import { aFreePort } from '../../support/free-port';
import { GatewayClient } from '../../support/gateway-client';
import { type PgBouncer, startPgBouncer } from '../../support/pgbouncer';
import { type Finished, type Program, runProgram, startProgram, untilReady } from '../../support/program';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { removeTestKeys, testRedisUrl } from '../../support/test-redis';
import { eventually } from '../../support/waiting';

// Real: PgBouncer, PostgreSQL, the programs as built, their roles. Fake: the CRM.

/** `POOLED_APIS=10 POOLED_INGESTORS=20 TEST_MAX_CONNECTIONS=100` for the full size. */
const APIS = Number(process.env['POOLED_APIS'] ?? 2);
const INGESTORS = Number(process.env['POOLED_INGESTORS'] ?? 1);
/**
 * The pool size per role. It is smaller than the number of clients, so that the statements of one client go to
 * different sessions.
 */
const POOL_SIZE = Math.max(3, INGESTORS / 2);
const GATEWAYS = INGESTORS * 2;
const REDIS_PREFIX = `test-${randomBytes(4).toString('hex')}`;

describeWith('pgbouncer', 'behind a PgBouncer in transaction mode', () => {
  let db: TestDatabase;
  let pooler: PgBouncer;
  let simulator: Simulator;
  let dataDir: string;
  let env: Record<string, string>;
  const programs: Program[] = [];
  const apiUrls: string[] = [];
  const gateways: GatewayClient[] = [];

  const ops = (...args: string[]): Promise<Finished> => runProgram('apps/ops/src/main.js', env, [...args, '--json']);
  const start = async (app: string, port: string, role: 'ingest' | 'serve' | 'operate'): Promise<string> => {
    const number = String(await aFreePort());
    const program = startProgram(`apps/${app}/src/main.js`, {
      ...{ ...env, DATABASE_URL: pooler.through(db.urlOf(role)), DATABASE_DIRECT_URL: db.urlOf(role), [port]: number },
      ...(app === 'api' && { BASE_URL: `http://127.0.0.1:${number}` }),
    });
    programs.push(program);
    await untilReady(program, `http://127.0.0.1:${number}/health/ready`);
    return `http://127.0.0.1:${number}`;
  };
  const ingest = async (client: string): Promise<RunView> =>
    JSON.parse((await ops('ingest', '--crm', 'kyero', '--client', client, '--wait')).stdout) as RunView;

  beforeAll(async () => {
    db = await createTestDatabase();
    simulator = await createSimulator({ seed: 3, counts: { apimo: 1, kyero: 230, poliris: 1 } });
    dataDir = await mkdtemp(join(tmpdir(), 'passerelle-pooler-'));
    pooler = await startPgBouncer(
      (['ingest', 'serve', 'operate'] as const).map((role) => db.urlOf(role)),
      POOL_SIZE,
    );
    const redisUrl = testRedisUrl();
    env = {
      ...{ DATA_DIR: dataDir, ALLOW_PRIVATE_SOURCES: simulator.host, REFRESH_EVERY_SECONDS: '86400' },
      ...{ SECRETS_KEY: randomBytes(32).toString('hex'), CONSOLE_SECRET: randomBytes(32).toString('hex') },
      ...{ LOG_LEVEL: 'warn', DATABASE_DIRECT_URL: db.urlOf('ingest') },
      ...(redisUrl !== null && { REDIS_URL: redisUrl, REDIS_PREFIX }),
    };
    for (let n = 0; n < INGESTORS; n += 1) await start('ingestor', 'OPS_PORT', 'ingest');
    for (let n = 0; n < APIS; n += 1) apiUrls.push(await start('api', 'PORT', 'serve'));
    await start('console', 'CONSOLE_PORT', 'operate');
  });

  afterAll(async () => {
    await Promise.all(programs.map((program) => program.stop()));
    await pooler.stop();
    await simulator.close();
    await db.drop();
    const redisUrl = testRedisUrl();
    if (redisUrl !== null) await removeTestKeys(redisUrl, REDIS_PREFIX);
    await rm(dataDir, { recursive: true, force: true });
  });

  it('every ingestor publishes feeds', async () => {
    const runs = await Promise.all(
      Array.from({ length: GATEWAYS }, async (_, n) => {
        const client = `agency-${n}`;
        const added = await ops(
          'gateway',
          'add',
          '--crm',
          'kyero',
          '--client',
          client,
          '--source',
          simulator.sources.kyero,
        );
        const { key } = JSON.parse(added.stdout) as { key: string };
        gateways.push(new GatewayClient(apiUrls[n % APIS]!, { crm: 'kyero', client, key }));
        return ingest(client);
      }),
    );

    expect(runs.map(({ state, added }) => ({ state, added }))).toEqual(
      runs.map(() => ({ state: 'published', added: 230 })),
    );
  });

  it('every API gives every kind of answer while there are more readers than connections', async () => {
    const paths = ['status', 'properties', 'manifest', 'search', 'feed', 'properties/x', 'properties'].map(
      (p) => `/v1/${p}`,
    );
    const wanted = [200, 200, 200, 200, 200, 404, 200];
    const answers = apiUrls.flatMap((apiUrl) =>
      Array.from({ length: 8 }, async (_, n) => {
        const reader = new GatewayClient(apiUrl, gateways[n % GATEWAYS]!.access);
        const page = { page: String(1 + (n % 5)), format: n % 2 === 0 ? 'normalized' : 'raw' };
        const statuses = await Promise.all(paths.map(async (path) => (await reader.get(path, page)).status));
        return { statuses, dump: (JSON.parse(await reader.readDump()) as unknown[]).length };
      }),
    );

    expect(await Promise.all(answers)).toEqual(answers.map(() => ({ statuses: wanted, dump: 230 })));
  });

  it('a change reaches every API over connections that bypass the pooler', async () => {
    const [{ access }] = gateways as [GatewayClient];
    const portfolio = simulator.portfolios.kyero;
    portfolio.remove(portfolio.properties[0]!.id);
    const totals = async (): Promise<unknown[]> =>
      Promise.all(
        apiUrls.map(async (url) => {
          const response = await new GatewayClient(url, access).get('/v1/manifest');
          return ((await response.json()) as { meta: { total: number } }).meta.total;
        }),
      );
    expect(await totals()).toEqual(apiUrls.map(() => 230));

    expect(await ingest(access.client)).toMatchObject({ state: 'published', removed: 1 });

    await eventually(async () => ((await totals()).every((total) => total === 229) ? true : undefined));
  });

  it('PostgreSQL has no more connections than the pools and the listeners', async () => {
    const rows = await db.query<{ program: string; count: number }>(
      `SELECT split_part(application_name, ' ', 1) AS program, count(*)::int AS count FROM pg_stat_activity
       WHERE datname = current_database() AND query LIKE 'LISTEN%' GROUP BY 1`,
    );
    const [all] = await db.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity
       WHERE datname = current_database() AND usename LIKE current_database() || '%' AND application_name <> 'bullmq'`,
    );
    const listening = rows.reduce((sum, { count }) => sum + count, 0);
    process.stderr.write(
      `${APIS} APIs, ${INGESTORS} ingestors: ${listening} listen, ${all!.count} connections in all\n`,
    );

    expect(listening).toBe(APIS + INGESTORS);
    expect(all!.count).toBeLessThanOrEqual(3 * POOL_SIZE + listening);
  });

  it('a program without DATABASE_DIRECT_URL fails at its start and names the setting', async () => {
    const { code, stderr } = await runProgram(
      'apps/api/src/main.js',
      {
        ...env,
        DATABASE_URL: pooler.through(db.urlOf('serve')),
        DATABASE_DIRECT_URL: '',
        PORT: String(await aFreePort()),
      },
      [],
    );

    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^api: .*unsupported startup parameter.*DATABASE_DIRECT_URL.*\n$/),
    });
  });
});
