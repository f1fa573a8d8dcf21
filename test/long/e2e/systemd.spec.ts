import { Agent } from 'node:http';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readFromRoot } from '../../architecture/read-from-root';
import { addGateway, someListings } from '../../medium/api/api-under-test';
import { aFreePort } from '../../support/free-port';
import { type Program, runProgram, startProgram, untilReady } from '../../support/program';
import { type Proxy, startProxy } from '../../support/proxies';
import { request, startLoad } from '../../support/steady-load';
import { runDocumentedUpgrade } from '../../support/systemd/documented-upgrade';
import { SystemdModel } from '../../support/systemd/model';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

const REQUESTS = 10_000;
const UNITS = ['passerelle-api@3000', 'passerelle-api@3010', 'passerelle-ingestor@3001', 'passerelle-console'];
const SECRETS = { SECRETS_KEY: 'k'.repeat(64), CONSOLE_SECRET: 'c'.repeat(64), OPS_TOKEN: 'token' };

// Real: the programs, the migration, PostgreSQL, the units, the upgrade of docs/production.md in a shell, and Caddy with
// the documented file if Caddy is installed. Fake: systemd, as a model that decides which programs stop and start.
describe('the upgrade of docs/production.md for the units', () => {
  let db: TestDatabase;
  let proxy: Proxy;
  let installed: string;
  const ports: Record<string, number> = {};
  const programs = new Map<string, Program>();

  beforeAll(async () => {
    installed = mkdtempSync(join(tmpdir(), 'units-'));
    cpSync('deploy/systemd', installed, { recursive: true });
    db = await createTestDatabase();
    for (const unit of UNITS) {
      ports[unit] = await aFreePort();
      await start(unit);
    }
    proxy = await startProxy([ports[UNITS[0]!]!, ports[UNITS[1]!]!]);
  });
  afterAll(async () => {
    await proxy.stop();
    await Promise.all([...programs.values()].map((one) => one.stop()));
    await db.drop();
    rmSync(installed, { recursive: true });
  });

  /** Starts the program of a unit. It does not wait until the program is ready, and neither does systemd. */
  function launch(unit: string): void {
    const [, app] = /^passerelle-(\w+)/.exec(unit)!;
    const port = String(ports[unit]);
    const own: Record<string, Record<string, string>> = {
      api: { PORT: port, DRAIN_SECONDS: drainSeconds(), TRUST_PROXY: '127.0.0.1' },
      ingestor: { OPS_PORT: port, DATA_DIR: join(installed, 'data') },
      console: { CONSOLE_PORT: port },
    };
    programs.set(unit, startProgram(`apps/${app}/src/main.js`, { DATABASE_URL: db.url, ...SECRETS, ...own[app!]! }));
  }

  async function start(unit: string): Promise<void> {
    launch(unit);
    await untilReady(programs.get(unit)!, `http://127.0.0.1:${ports[unit]}/health/ready`);
  }

  /** Does what the model says: `stop UNIT` or `start UNIT`. */
  async function apply(event: string): Promise<boolean> {
    const [verb, unit] = event.replace(/\.service$/, '').split(' ') as [string, string];
    if (unit === 'passerelle-migrate') {
      return verb === 'stop' || (await runProgram('tools/migrate.js', { DATABASE_URL: db.url }, [])).code === 0;
    }
    if (verb === 'stop') await programs.get(unit)!.stop();
    else launch(unit);
    return true;
  }

  it(`answers ${REQUESTS} of ${REQUESTS} requests`, async () => {
    const gateway = await addGateway(db.database, { listings: someListings(50) });
    const path = `/v1/properties?${gateway.query}&per_page=50`;
    const asked = { origin: proxy.url, path, headers: { ...gateway.headers, 'X-Request-Id': 'upgrade' } };
    const expected = await request(new Agent(), asked);
    expect(expected.status).toBe('200');
    const load = startLoad(
      asked,
      ({ status, body }) => `${status} with ${body.equals(expected.body) ? 'all' : 'else'}`,
    );
    const systemd = new SystemdModel(installed, { migrationSeconds: 1, hasDatabase: () => true });
    systemd.systemctl('start', ...UNITS);

    const commands: string[] = [];
    const status = await runDocumentedUpgrade(installed, async (program, args) => {
      if (program === 'sleep') {
        await sleep(Number(args[0]) * 1_000);
        return true;
      }
      if (program === 'curl') {
        const [, documented] = /:(\d+)\/health\/ready$/.exec(args.join(' '))!;
        const answer = await fetch(`http://127.0.0.1:${ports[`passerelle-api@${documented}`]}/health/ready`).catch(
          () => null,
        );
        return answer?.ok === true;
      }
      commands.push(args.join(' '));
      const from = systemd.events.length;
      let isGood = systemd.systemctl(...(args as [string, ...string[]]));
      for (const event of systemd.events.slice(from)) isGood &&= await apply(event);
      return isGood;
    });
    while (load.count() < REQUESTS) await sleep(100);
    const answers = await load.stop();

    expect([status, commands]).toEqual([
      0,
      [
        'daemon-reload',
        'restart passerelle-migrate',
        'restart passerelle-ingestor@3001 passerelle-console',
        'restart passerelle-api@3000',
        'restart passerelle-api@3010',
      ],
    ]);
    expect(answers).toEqual({ '200 with all': expect.any(Number) });
    expect(answers['200 with all']).toBeGreaterThanOrEqual(REQUESTS);
  });
});

/** The time for which the unit lets an API answer after SIGTERM. */
function drainSeconds(): string {
  return /^Environment=DRAIN_SECONDS=(\d+)$/m.exec(readFromRoot('deploy/systemd/passerelle-api@.service'))![1]!;
}
