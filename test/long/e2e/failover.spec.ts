import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nameOfRole, openDatabase, type RoleName } from '@passerelle/database';
import type { RunView } from '@passerelle/domain';
import { createSimulator, type Simulator } from '../../../tools/simulator/simulator';
import { describeWith } from '../../support/command-on-path';
import { coreOf, expectedCore } from '../../support/expected-listing';
import { type FollowedServer, startFollowedServer } from '../../support/followed-server';
import { aFreePort } from '../../support/free-port';
import { GatewayClient } from '../../support/gateway-client';
import { type OwnRedis, startOwnRedis } from '../../support/own-redis';
import { pauseFeed } from '../../support/paused-feed';
import { type PostgresProxy, startPostgresProxy } from '../../support/postgres-proxy';
import { type Finished, type Program, runProgram, startProgram, untilReady } from '../../support/program';
import { eventually, until } from '../../support/waiting';

/** Numbers of answers that the readers receive before the failure, while the primary hangs, and without a primary. */
const ANSWERS = { before: 50, stalled: 50, without: Number(process.env['FAILOVER_ANSWERS'] ?? 300) };
/** Each reader may lose one answer by the kill; an outage would cost many. */
const MOST_FAILURES = 4;
/** The requests of sites, with one reader per kind. Page sizes vary, so that the API rarely answers from memory. */
const WHAT_IS_READ: readonly ((times: number, known: Known) => [path: string, query: Record<string, string>])[] = [
  (times) => ['/v1/properties', { page: String(1 + (times % 10)), per_page: String(1 + (times % 200)) }],
  (times, { snapshot }) => ['/v1/properties', { ...{ snapshot, format: 'raw' }, per_page: String(1 + (times % 200)) }],
  (times, { ids }) => [`/v1/properties/${ids[times % ids.length]!}`, {}],
  (_, { snapshot }) => ['/v1/changes', { since: snapshot }],
  (times) => ['/v1/search', { per_page: String(1 + (times % 100)) }],
  (_, { snapshot }) => ['/v1/manifest', { snapshot }],
  () => ['/v1/status', {}],
  () => ['/v1/feed', {}],
];
const ROLE_PASSWORD = randomBytes(16).toString('hex');

interface Known {
  snapshot: string;
  /** Ids of listings that are in each snapshot. */
  ids: readonly string[];
}

// Real: a PostgreSQL primary and its standby, HAProxy, Redis, API and ingestor as built. Fake: the CRM, Patroni.
describeWith(['redis-server', 'haproxy'], 'when the primary behind HAProxy fails during an import,', () => {
  let server: FollowedServer;
  let proxy: PostgresProxy;
  let redis: OwnRedis;
  let simulator: Simulator;
  let dataDir: string;
  let env: Record<string, string>;
  let apiUrl: string;
  let gateway: GatewayClient;
  const programs: Program[] = [];

  beforeAll(async () => {
    [server, redis] = await Promise.all([startFollowedServer(), startOwnRedis()]);
    proxy = await startPostgresProxy(server);
    simulator = await createSimulator({ seed: 46, counts: { kyero: 2_000 } });
    dataDir = await mkdtemp(join(tmpdir(), 'passerelle-failover-'));
    const database = await openDatabase({ url: proxy.url, applicationName: 'test' });
    await database.migrations.migrate({ ingest: ROLE_PASSWORD, serve: ROLE_PASSWORD, operate: ROLE_PASSWORD }, 3);
    await database.close();
    env = {
      ...{ DATA_DIR: dataDir, ALLOW_PRIVATE_SOURCES: simulator.host, REFRESH_EVERY_SECONDS: '86400' },
      ...{ SECRETS_KEY: randomBytes(32).toString('hex'), DATABASE_URL: urlOf('ingest'), REDIS_URL: redis.url },
    };
    apiUrl = await start('api', 'PORT', 'serve');
    await start('ingestor', 'OPS_PORT', 'ingest');
    const words = ['gateway', 'add', '--crm', 'kyero', '--client', 'agency', '--source', simulator.sources.kyero];
    const { key } = await ops<{ key: string }>(...words);
    gateway = new GatewayClient(apiUrl, { crm: 'kyero', client: 'agency', key });
    expect(await ops<RunView>('ingest', ...OF_GATEWAY, '--wait')).toMatchObject({ state: 'published', added: 2_000 });
  });

  afterAll(async () => {
    await Promise.all(programs.map((program) => program.stop()));
    await proxy.stop();
    await Promise.all([server.stop(), redis.stop(), simulator.close()]);
    await rm(dataDir, { recursive: true, force: true });
  });

  const OF_GATEWAY = ['--crm', 'kyero', '--client', 'agency'];

  function urlOf(role: RoleName): string {
    return proxy.url.replace(/\/\/[^/@]+@/, `//${nameOfRole('passerelle', role)}:${ROLE_PASSWORD}@`);
  }

  async function start(app: string, port: string, role: RoleName): Promise<string> {
    const number = String(await aFreePort());
    const url = `http://127.0.0.1:${number}`;
    const program = startProgram(`apps/${app}/src/main.js`, {
      ...{ ...env, DATABASE_URL: urlOf(role), [port]: number, ...(app === 'api' && { BASE_URL: url }) },
    });
    programs.push(program);
    await untilReady(program, `${url}/health/ready`);
    return url;
  }

  const tryOps = (...args: string[]): Promise<Finished> => runProgram('apps/ops/src/main.js', env, [...args, '--json']);
  async function ops<T>(...args: string[]): Promise<T> {
    const { code, stdout, stderr } = await tryOps(...args);
    if (code !== 0) throw new Error(`ops ${args.join(' ')}: exit ${String(code)}\n${stdout}${stderr}`);
    return JSON.parse(stdout) as T;
  }

  it('API serves lists from the standby, and the ingestor publishes the interrupted list once and complete', async () => {
    const { portfolios } = simulator;
    const snapshot = (await gateway.get('/v1/properties')).headers.get('x-snapshot') ?? '';
    // Those that stay.
    const ids = (await gateway.readAll('normalized', 200)).slice(10).map(({ affId }) => affId);
    portfolios.kyero.remove(portfolios.kyero.properties[3]!.id);
    portfolios.kyero.add(0);
    const pause = pauseFeed(simulator);
    const { id } = await ops<RunView>('ingest', ...OF_GATEWAY);
    await pause.reached;

    const answers = new Map<string, number>();
    const reading = new AbortController();
    const readers = WHAT_IS_READ.map(async (toRead) => {
      for (let times = 1; !reading.signal.aborted; times += 1) {
        const [path, query] = toRead(times, { snapshot, ids });
        const response = await gateway.get(path, query);
        const text = await response.text();
        // The API refuses a page that may be of another list than page 1. It never mixes lists.
        const isRefused = response.status === 500 && text.includes('start again at page 1');
        const answer = response.ok || isRefused ? '200' : `${response.status} ${path} ${text}`;
        answers.set(answer, (answers.get(answer) ?? 0) + 1);
      }
    });
    const total = (): number => [...answers.values()].reduce((sum, count) => sum + count, 0);
    const answered = async (more: number): Promise<void> => {
      const enough = total() + more;
      await until(() => Promise.resolve(total() >= enough));
    };
    await answered(ANSWERS.before);
    await server.stall();
    await answered(ANSWERS.stalled);
    await server.kill();
    pause.resume();
    await answered(ANSWERS.without);
    const whileAway = new Map(answers);
    await server.promote();
    const run = await eventually(async () => {
      const { code, stdout } = await tryOps('run', 'show', String(id));
      const view = code === 0 ? (JSON.parse(stdout) as RunView) : null;
      return view?.state === 'published' ? view : undefined;
    });
    reading.abort();
    await Promise.all(readers);
    process.stderr.write(
      `until the promotion: ${JSON.stringify([...whileAway])}, in all ${JSON.stringify([...answers])}\n`,
    );
    if (answers.size > 1) process.stderr.write(`${failuresOf(programs[0]!)}\n${proxy.log()}\n`);

    expect(run).toMatchObject({ added: 1, removed: 1 });
    // HAProxy closes the connections to the lost primary. The API's second attempt may use such a connection too.
    const failures = [...answers].filter(([answer]) => answer !== '200');
    expect(failures.filter(([answer]) => !answer.includes('The database does not answer. Try again in 5 s.'))).toEqual(
      [],
    );
    expect(failures.reduce((sum, [, count]) => sum + count, 0)).toBeLessThanOrEqual(MOST_FAILURES);
    const listings = await gateway.readAll('normalized', 200);
    expect(listings.map(coreOf)).toEqual(
      portfolios.kyero.properties.map((property) => expectedCore(simulator, 'kyero', property)),
    );
    const runs = await server.query<{ state: string; trigger: string }>('SELECT state, trigger FROM run ORDER BY id');
    process.stderr.write(`runs: ${JSON.stringify(runs)}\n`);
    expect(runs.filter(({ state }) => state === 'published')).toHaveLength(2);
  });
});

/** The error lines of a program's log. */
function failuresOf(program: Program): string {
  return program
    .output()
    .split('\n')
    .filter((line) => line.includes('"level":50'))
    .join('\n');
}
