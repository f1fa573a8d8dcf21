import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Database, openDatabase } from '@passerelle/database';
import pg from 'pg';
import { createSimulator, type Simulator } from '../../../tools/simulator/simulator';
import { aFreePort } from '../../support/free-port';
import { type OwnPostgres, startOwnPostgres } from '../../support/own-postgres';
import { type Program, runProgram, startProgram, untilReady } from '../../support/program';
import { eventually, until } from '../../support/waiting';

const LIBRARY = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/faketime/libfaketime.so.1`;
const CAN_RUN = existsSync(LIBRARY);
const HOURS = 2;

// Real: PostgreSQL under libfaketime, an ingestor and the command line as built. Fake: the CRM and the clock.
(CAN_RUN ? describe : describe.skip)('a clock of PostgreSQL that jumps (needs libfaketime)', () => {
  let folder: string;
  let server: OwnPostgres;
  let database: Database;
  let client: pg.Client;
  let simulator: Simulator;
  let ingestor: Program;
  let env: Record<string, string>;
  let opsUrl: string;

  const setClock = (offset: string): Promise<void> => writeFile(join(folder, 'clock'), offset);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'clock-'));
    // The server may run as a different user.
    await chmod(folder, 0o755);
    await setClock('+0');
    const port = await aFreePort();
    const options = { directory: join(folder, 'postgres'), password: 'not-a-secret', port, database: 'clock' };
    server = await startOwnPostgres(options, {
      LD_PRELOAD: LIBRARY,
      FAKETIME_TIMESTAMP_FILE: join(folder, 'clock'),
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    });
    const url = `postgres://postgres:not-a-secret@127.0.0.1:${port}/clock`;
    database = await openDatabase({ url, applicationName: 'test' });
    await database.migrations.migrate({}, 1);
    client = new pg.Client({ connectionString: url });
    await client.connect();
    simulator = await createSimulator({ seed: 8, counts: { kyero: 20 } });
    const opsPort = await aFreePort();
    opsUrl = `http://127.0.0.1:${opsPort}`;
    env = {
      ...{ DATABASE_URL: url, DATA_DIR: folder, OPS_PORT: String(opsPort), OPS_TOKEN: 'token-of-the-operators' },
      ...{ SECRETS_KEY: 'a secrets key of at least 32 characters', ALLOW_PRIVATE_SOURCES: simulator.host },
      REFRESH_EVERY_SECONDS: '60',
    };
    ingestor = startProgram('apps/ingestor/src/main.js', env);
    await untilReady(ingestor, `${opsUrl}/health/ready`);
    await ops('gateway', 'add', '--crm', 'kyero', '--client', 'a', '--source', simulator.sources.kyero);
  });
  afterAll(async () => {
    await ingestor.stop();
    await simulator.close();
    await client.end();
    await database.close();
    await server.end('stop');
    for (const path of [folder, dirname(server.directory)]) await rm(path, { recursive: true, force: true });
  });

  const ops = (...args: string[]) => runProgram('apps/ops/src/main.js', env, [...args, '--json']);
  /** The number of successful runs, independent of the clock. */
  const runs = async (): Promise<number> => {
    const { rows } = await client.query<{ runs: number }>(
      `SELECT count(*)::int AS runs FROM run WHERE state IN ('published', 'unchanged')`,
    );
    return rows[0]!.runs;
  };
  /** How many hours the database's clock is ahead of this machine's clock. */
  const aheadHours = async (): Promise<number> => {
    const { rows } = await client.query<{ now: Date }>('SELECT clock_timestamp() AS now');
    return Math.round((rows[0]!.now.getTime() - Date.now()) / 3_600_000);
  };
  const nextRuns = async (count: number): Promise<void> => {
    const before = await runs();
    // The clock repair checks once per minute, and a run is due once per minute.
    await until(async () => (await runs()) >= before + count, 300_000);
  };
  const readiness = async (): Promise<Record<string, string>> =>
    (await (await fetch(`${opsUrl}/health/ready`)).json()) as Record<string, string>;

  it('delays runs only by minutes when it was hours ahead and is set back, and every check reports the wrong clock', async () => {
    await nextRuns(1);
    await setClock(`+${HOURS}h`);
    await until(async () => (await aheadHours()) === HOURS);
    await client.query('UPDATE gateway_schedule SET next_run_at = now()');
    await nextRuns(1);

    await setClock('+0');
    await eventually(async () => ((await readiness())['clock'] === 'put back' ? true : undefined), 300_000);
    const { stdout } = await ops('status');
    expect(JSON.parse(stdout)).toMatchObject({
      broken: expect.arrayContaining([expect.objectContaining({ check: 'clocks', state: 'bad' })]),
    });

    await nextRuns(2);
    expect(await readiness()).toMatchObject({ status: 'ok', clock: 'ok' });
    expect(ingestor.output()).toContain('count as past');
  });

  it('does not stop runs when it was hours behind and is set forward', async () => {
    await setClock(`-${HOURS}h`);
    await until(async () => (await aheadHours()) === -HOURS);
    await nextRuns(1);
    await setClock('+0');
    await nextRuns(2);
    expect(await readiness()).toMatchObject({ status: 'ok', clock: 'ok' });
  });
});
