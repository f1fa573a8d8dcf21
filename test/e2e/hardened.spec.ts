import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../tools/embedded/embedded-postgres';
import { createSimulator, type Simulator } from '../../tools/simulator/simulator';
import { GatewayClient } from '../support/gateway-client';
import { type Program, runProgram, startProgram, untilReady } from '../support/program';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

// What docker-compose.yml, the chart and the units for systemd allow: a user without rights, no capability, and a root that
// cannot be written to but for the volume and TMPDIR.
const VOLUME = mkdtempSync('/var/tmp/passerelle-hardened-');
const USER = 1000;
const LAUNCHER = [
  ...['unshare', '--mount', '--propagation', 'private', 'sh', '-c'],
  `set -e
   mount --bind ${VOLUME} ${VOLUME}
   mount --bind "$PWD" "$PWD"
   mount -o remount,bind,ro "$PWD"
   mount -o remount,bind,ro /
   exec setpriv --reuid ${USER} --regid ${USER} --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all "$@"`,
  'sh',
];

chmodSync(VOLUME, 0o755);
const problem = ((): string | null => {
  if (process.getuid?.() !== 0) return 'not run as root';
  chownSync(VOLUME, USER, USER);
  const [command, ...args] = LAUNCHER;
  const test = `test -r package.json && ! touch package.json 2>/dev/null && touch ${VOLUME}/there`;
  const { status } = spawnSync(command!, [...args, 'sh', '-c', test]);
  return status === 0 ? null : 'mounts are not to be had, or this folder is closed to other users';
})();

// Real: migration, API, ingestor and command line as built, PostgreSQL, the mounts. Fake: the CRM.
(problem === null ? describe : describe.skip)(`with a root that is read-only${problem ? ` (${problem})` : ''}`, () => {
  let db: TestDatabase;
  let simulator: Simulator;
  const running: Program[] = [];

  beforeAll(async () => {
    db = await createTestDatabase();
    simulator = await createSimulator({ seed: 3, counts: { apimo: 1, kyero: 30, poliris: 1 } });
  });
  afterAll(async () => {
    await Promise.all(running.map((program) => program.stop()));
    await simulator.close();
    await db.drop();
    rmSync(VOLUME, { recursive: true });
  });

  const start = (script: string, env: Record<string, string>): Program =>
    startProgram(script, { NODE_ENV: 'production', TMPDIR: VOLUME, ...env }, process.cwd(), LAUNCHER);

  it('the product migrates, imports, serves and stops', async () => {
    const migration = start('tools/migrate.js', { DATABASE_URL: db.url });
    expect([await migration.ended, migration.output()]).toEqual([0, expect.any(String)]);

    const [port, opsPort] = [await freePort(), await freePort()];
    const env = {
      ...{ PORT: String(port), OPS_PORT: String(opsPort), BASE_URL: `http://127.0.0.1:${port}` },
      ...{ SECRETS_KEY: 'k'.repeat(32), DATA_DIR: join(VOLUME, 'data'), ALLOW_PRIVATE_SOURCES: simulator.host },
    };
    const ingestor = start('apps/ingestor/src/main.js', { ...env, DATABASE_URL: db.urlOf('ingest') });
    const api = start('apps/api/src/main.js', { ...env, DATABASE_URL: db.urlOf('serve') });
    running.push(ingestor, api);
    await untilReady(ingestor, `http://127.0.0.1:${opsPort}/health/ready`);
    await untilReady(api, `http://127.0.0.1:${port}/health/ready`);

    const added = await ops(
      ...['gateway', 'add', '--crm', 'kyero', '--client', 'agency', '--source', simulator.sources.kyero],
    );
    const run = await ops('ingest', '--crm', 'kyero', '--client', 'agency', '--wait');
    expect(run).toMatchObject({ state: 'published', records: 30, rejected: 0 });
    const access = { crm: 'kyero', client: 'agency', key: String(added['key']) };
    expect(await new GatewayClient(env.BASE_URL, access).readAll('normalized', 200)).toHaveLength(30);

    async function ops(...args: string[]): Promise<Record<string, unknown>> {
      const own = { ...env, DATABASE_URL: db.urlOf('ingest') };
      const { stdout, stderr } = await runProgram('apps/ops/src/main.js', own, [...args, '--json']);
      expect(stderr).toBe('');
      return JSON.parse(stdout) as Record<string, unknown>;
    }
  }, 120_000);
});
