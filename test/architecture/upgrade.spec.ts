import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readFromRoot } from './read-from-root';

const { services } = parse(readFromRoot('docker-compose.yml'), { merge: true }) as {
  services: Record<string, { image: string; build?: string; profiles?: string[] }>;
};
const ENV = 'BASE_URL=https://listings.example.org\nCONSOLE_SECRET=there\n';
const ALWAYS = Object.keys(services).filter(
  (name) => services[name]!.profiles === undefined && !['preflight', 'migrate'].includes(name),
);
const OF_BACKUP = ['backup'];
const OF_MONITORING = Object.keys(services).filter((name) => services[name]!.profiles?.includes('monitoring'));
const FILES = '/opt/passerelle/docker-compose.yml,/opt/passerelle/deploy/compose/mail.yml';

interface Container {
  id: string;
  service: string;
  image: string;
  isHealthy: boolean;
  files: string;
}
interface State {
  containers: Container[];
  events: string[];
  built: string;
  builds: string;
  /** The image that each tag refers to after the build. */
  tags: Record<string, string>;
  /** The release whose files the proxy container has mounted. */
  mounted: 'old' | 'new';
  failing: string;
  next: number;
}

// Real: the script as shipped, and docker-compose.yml. Fake: docker, which stores its containers in a file and behaves
// like compose.
describe('deploy/compose/upgrade.sh', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'upgrade-'));
    mkdirSync(join(folder, 'bin'));
    cpSync('deploy/compose', join(folder, 'deploy/compose'), { recursive: true });
    cpSync('docker-compose.yml', join(folder, 'docker-compose.yml'));
    cpSync(require.resolve('../support/stub-docker.mjs'), join(folder, 'bin/stub-docker.mjs'));
    writeFileSync(
      join(folder, 'bin/docker'),
      `#!/bin/sh\nexec "${process.execPath}" "${folder}/bin/stub-docker.mjs" "$@"\n`,
    );
    chmodSync(join(folder, 'bin/docker'), 0o755);
    writeFileSync(join(folder, '.env'), ENV);
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  function upgrade(
    running: Record<string, number>,
    changes: Partial<State> = {},
  ): { state: State; status: number | null; output: string; at: (event: string) => number } {
    const containers = Object.entries(running).flatMap(([service, number]) =>
      Array.from({ length: number }, (_, at) => ({
        ...{ id: `${service}-old-${at}`, service, isHealthy: true, files: FILES },
        image: services[service]!.build === undefined ? services[service]!.image : 'previous',
      })),
    );
    const before: State = {
      ...{ containers, events: [], built: 'previous', builds: 'this', tags: {}, mounted: 'new', failing: '', next: 0 },
      ...changes,
    };
    const file = join(folder, 'state.json');
    writeFileSync(file, JSON.stringify({ ...before, services }));
    const { status, stdout, stderr } = spawnSync('sh', [join(folder, 'deploy/compose/upgrade.sh')], {
      encoding: 'utf8',
      env: { PATH: `${folder}/bin:${process.env['PATH']}`, STUB_DOCKER_STATE: file },
    });
    const state = JSON.parse(readFileSync(file, 'utf8')) as State;
    const at = (event: string): number => state.events.findIndex((one) => one.startsWith(event));
    return { state, status, output: stdout + stderr, at };
  }

  const running = (names: readonly string[], ingestors = 3): Record<string, number> => ({
    ...Object.fromEntries(names.map((name) => [name, 1])),
    ingestor: ingestors,
  });
  const scaleOf = ({ containers }: State): Record<string, number> =>
    Object.fromEntries(
      [...new Set(containers.map(({ service }) => service))].map((name) => [
        name,
        containers.filter(({ service }) => service === name).length,
      ]),
    );

  it('leaves every container healthy and on the new image, with the same number of containers per service', () => {
    const before = running([...ALWAYS, ...OF_BACKUP, ...OF_MONITORING]);
    const tags = Object.fromEntries(
      Object.values(services).flatMap(({ image, build }) => (build === undefined ? [[image, `${image} renewed`]] : [])),
    );
    const { state, status, output, at } = upgrade(before, { tags });
    expect([status, output]).toEqual([0, expect.stringContaining('== the rest')]);
    expect(scaleOf(state)).toEqual(before);
    expect(state.containers.filter(({ image }) => image !== 'this' && !image.endsWith(' renewed'))).toEqual([]);
    expect(state.containers.filter(({ isHealthy }) => !isHealthy)).toEqual([]);
    expect(state.events).not.toContain('no API answers');
    // Before the schema changes, the script takes a backup of the running release.
    const backup = at('exec backup of previous: node tools/ops.mjs backup --to "/backups/');
    expect(backup).toBeGreaterThan(-1);
    expect(at('run migrate')).toBeGreaterThan(backup);
    // The script uses the compose files that the installation was started with.
    expect([...new Set(state.containers.map(({ files }) => files))]).toEqual([FILES.replace(',', ':')]);
  });

  it('reports that it takes no backup when the profile is off, and does not recreate unchanged containers', () => {
    const { state, output } = upgrade(running(ALWAYS));
    expect(output).toContain('no backup: the profile "backup" is off');
    expect(Object.keys(scaleOf(state)).sort()).toEqual([...ALWAYS].sort());
    expect(state.events.filter((event) => /recreate (?:proxy|postgres|redis)/.test(event))).toEqual([]);
  });

  it.each(['exec backup', 'run preflight', 'run migrate'])(
    'stops when `%s` fails, before it recreates any container',
    (failing) => {
      const { state, status } = upgrade(running([...ALWAYS, ...OF_BACKUP]), { failing });
      expect(status).not.toBe(0);
      expect(state.events.filter((event) => event.startsWith('recreate'))).toEqual([]);
      expect(state.events.includes('run migrate')).toBe(failing === 'run migrate');
    },
  );

  it('recreates the proxy when it still has the files of the previous release', () => {
    expect(
      upgrade(running(ALWAYS), { mounted: 'old' }).state.events.filter((event) => event === 'recreate proxy'),
    ).toEqual(['recreate proxy']);
  });

  it('stops with one sentence, before it changes anything, when .env lacks a variable', () => {
    const env = 'BASE_URL=\nCONSOLE_SECRET=\n';
    writeFileSync(join(folder, '.env'), env);
    const { state, status, output } = upgrade(running(ALWAYS));
    expect([status, output]).toEqual([
      1,
      'required variable BASE_URL is missing a value: set it to the public https address of the API\n',
    ]);
    expect([state.events, readFileSync(join(folder, '.env'), 'utf8')]).toEqual([[], env]);
  });

  it('stops with one sentence when docker has no compose', () => {
    writeFileSync(join(folder, 'bin/docker'), '#!/bin/sh\nexit 1\n');
    const { status, output } = upgrade(running(ALWAYS));
    expect([status, output]).toEqual([1, 'docker compose is missing: install Docker Engine with its Compose plugin\n']);
  });

  it('leaves two ingestors and all containers of the profiles running after the commands of docs/production.md', () => {
    cpSync('.env.example', join(folder, '.env.example'));
    rmSync(join(folder, '.env'));
    for (const name of ['curl', 'git']) writeFileSync(join(folder, 'bin', name), '#!/bin/sh\n', { mode: 0o755 });
    const file = join(folder, 'state.json');
    const before: State = {
      ...{ containers: [], events: [], built: '', builds: 'this', tags: {}, mounted: 'new', failing: '', next: 0 },
    };
    writeFileSync(file, JSON.stringify({ ...before, services }));
    const commands = commandsOfProduction();
    expect(commands.filter((one) => one.includes('docker compose') && one.includes(' up -d'))).toHaveLength(3);
    expect(commands.some((one) => one.includes('deploy/compose/upgrade.sh'))).toBe(true);
    const expected = running([...ALWAYS, ...OF_BACKUP, ...OF_MONITORING], 2);
    let isStarted = false;
    for (const command of commands) {
      const { status, stderr } = spawnSync('sh', ['-ec', command], {
        ...{ cwd: folder, encoding: 'utf8' },
        env: { PATH: `${folder}/bin:${process.env['PATH']}`, STUB_DOCKER_STATE: file },
      });
      expect([command, status, stderr]).toEqual([command, 0, '']);
      isStarted ||= command.includes(' up -d');
      if (isStarted)
        expect([command, scaleOf(JSON.parse(readFileSync(file, 'utf8')) as State)]).toEqual([command, expected]);
    }
    expect(isStarted).toBe(true);
  });

  it("starts one ingestor when none runs, and adds the console's secret only once", () => {
    writeFileSync(join(folder, '.env'), ENV.replace('there', ''));
    expect(scaleOf(upgrade(running(ALWAYS, 0)).state)).toMatchObject({ ingestor: 1 });
    expect(readFileSync(join(folder, '.env'), 'utf8')).toMatch(/^BASE_URL=\S+\n\nCONSOLE_SECRET=[0-9a-f]{64}\n$/);
  });
});

/** The commands of docs/production.md for compose, after the installation of Docker, in their order on the page. */
function commandsOfProduction(): string[] {
  const page = readFromRoot('docs/production.md');
  const compose = page.slice(page.indexOf('## 2.'), page.indexOf('## Without containers'));
  const found = [...compose.matchAll(/```sh\n([^]*?)```|`(docker compose[^`]* up -d[^`]*)`/g)];
  const alias = "alias ops='docker compose exec ingestor node tools/ops.mjs'\n";
  return found.map(([, block, inline]) => alias + (block ?? inline!.replace(/\s+/g, ' ')));
}
