import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunOver, type RunView } from '@passerelle/domain';
import type { SimulatedCrm } from '../../tools/simulator/property';
import type { Simulator } from '../../tools/simulator/simulator';
import { APIMO_CREDENTIALS } from '../../tools/simulator/sources';
import { AGENCIES } from '../../tools/simulator/invented-world';
import { aFreePort } from './free-port';
import { GatewayClient } from './gateway-client';
import { type Finished, type Program, runProgram, startProgram, untilReady } from './program';
import { createTestDatabase, type TestDatabase } from './test-database';
import { removeTestKeys } from './test-redis';
import { untilServed } from './until-served';
import { eventually } from './waiting';

/** The product as it runs in production: both built programs with a separate database. */
export interface Product {
  db: TestDatabase;
  apiUrl: string;
  opsUrl: string;
  /** Where photos lie. */
  mediaDir: string;
  ingestor(): Program;
  /** The secrets in the programs' environment. */
  secrets: { secretsKey: string; opsToken: string };
  /** Waits until the ingestor has ended, and starts another. */
  restartIngestor(): Promise<void>;
  api(): Program;
  /** Waits until the API has ended, and starts another. */
  restartApi(): Promise<void>;
  /** Runs the operators' command line with `--json`. @throws Error if the exit code is not 0 */
  ops<T>(...args: string[]): Promise<T>;
  /** Runs an operators' command that is expected to fail. */
  tryOps(...args: string[]): Promise<Finished>;
  /** Adds a gateway for a simulated CRM. @returns a client with the gateway's key */
  addGateway(crm: SimulatedCrm, client?: string): Promise<GatewayClient>;
  /** Requests a run, waits for its end, and waits until the API serves the published or confirmed list. */
  ingest(crm: SimulatedCrm, client?: string): Promise<RunView>;
  /** Waits until the API serves the list that was published or confirmed last. */
  untilServed(crm: SimulatedCrm, client?: string): Promise<void>;
  stop(): Promise<void>;
}

export interface ProductOptions {
  /** The simulator, whose host ALLOW_PRIVATE_SOURCES permits although it is on loopback. */
  simulator: Pick<Simulator, 'host' | 'sources'>;
  /** Null if the queue is in PostgreSQL. */
  redisUrl?: string | null;
  /** Returns the URL through which the programs reach the database with the given URL. */
  through?: (databaseUrl: string) => Promise<string>;
  /** Additional settings of both programs and of the command line. */
  settings?: Readonly<Record<string, string>>;
}

const OPS = 'apps/ops/src/main.js';

export async function startProduct({
  simulator,
  redisUrl = null,
  through,
  settings = {},
}: ProductOptions): Promise<Product> {
  const db = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'passerelle-e2e-'));
  const [port, opsPort] = [await aFreePort(), await aFreePort()];
  const redisPrefix = `test-${randomBytes(4).toString('hex')}`;
  const way = await through?.(db.url);
  const secrets = { secretsKey: randomBytes(32).toString('hex'), opsToken: randomBytes(16).toString('hex') };
  const env = {
    DATABASE_URL: db.urlOf('ingest', way),
    DATA_DIR: dataDir,
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
    OPS_PORT: String(opsPort),
    SECRETS_KEY: secrets.secretsKey,
    OPS_TOKEN: secrets.opsToken,
    ALLOW_PRIVATE_SOURCES: simulator.host,
    // The schedule starts no run during a test, because each test requests its runs.
    REFRESH_EVERY_SECONDS: '86400',
    ...(redisUrl !== null && { REDIS_URL: redisUrl, REDIS_PREFIX: redisPrefix }),
    ...settings,
  };
  const startIngestor = async (): Promise<Program> => {
    const program = startProgram('apps/ingestor/src/main.js', env);
    await untilReady(program, `http://127.0.0.1:${opsPort}/health/ready`);
    return program;
  };
  const startApi = async (): Promise<Program> => {
    const program = startProgram('apps/api/src/main.js', { ...env, DATABASE_URL: db.urlOf('serve', way) });
    await untilReady(program, `http://127.0.0.1:${port}/health/ready`);
    return program;
  };
  let ingestor = await startIngestor();
  let api = await startApi();

  const tryOps = async (...args: string[]): Promise<Finished> => runProgram(OPS, env, [...args, '--json']);
  const ops = async <T>(...args: string[]): Promise<T> => {
    const { code, stdout, stderr } = await tryOps(...args);
    if (code !== 0) throw new Error(`ops ${args.join(' ')}: exit ${code}\n${stdout}${stderr}\n${ingestor.output()}`);
    return JSON.parse(stdout) as T;
  };
  const keys = new Map<string, string>();
  const [apiUrl, opsUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${opsPort}`];
  const product: Product = {
    ...{ db, apiUrl, opsUrl, mediaDir: join(dataDir, 'media') },
    ingestor: () => ingestor,
    secrets,
    async restartIngestor() {
      await ingestor.ended;
      ingestor = await startIngestor();
    },
    api: () => api,
    async restartApi() {
      await api.ended;
      api = await startApi();
    },
    ops,
    tryOps,
    async addGateway(crm, client = 'agency') {
      const { key } = await ops<{ key: string }>(...gatewayAddWords(simulator, crm, client));
      keys.set(`${crm}/${client}`, key);
      return new GatewayClient(apiUrl, { crm, client, key });
    },
    async ingest(crm, client = 'agency') {
      const { gateways, runRequests, runHistory } = db.database;
      const gateway = await gateways.find(crm, client);
      // Do not run `ops ingest`, because the command needs a second to start.
      const runId = await runRequests.request({ gatewayId: gateway!.id, trigger: 'ops' });
      const run = await eventually(async () => {
        const found = await runHistory.find(runId);
        return found !== null && isRunOver(found.state) ? found : undefined;
      });
      if (run.state === 'published' || run.state === 'unchanged') await product.untilServed(crm, client);
      return run;
    },
    untilServed: (crm, client = 'agency') =>
      untilServed(db, { crm, client, key: keys.get(`${crm}/${client}`) ?? '' }, [apiUrl]),
    async stop() {
      await Promise.all([ingestor.stop(), api.stop()]);
      await db.drop();
      if (redisUrl !== null) await removeTestKeys(redisUrl, redisPrefix);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  return product;
}

function gatewayAddWords(simulator: Pick<Simulator, 'sources'>, crm: SimulatedCrm, client: string): string[] {
  const { provider, token } = APIMO_CREDENTIALS;
  const extra: Record<SimulatedCrm, string[]> = {
    apimo: ['--credential', `provider=${provider}`, '--credential', `token=${token}`],
    kyero: [],
    poliris: ['--set', `agence-nom=${AGENCIES.poliris.name}`],
  };
  return ['gateway', 'add', '--crm', crm, '--client', client, '--source', simulator.sources[crm], ...extra[crm]];
}
