import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Listing, RunView } from '@passerelle/domain';
import { aFreePort } from '../support/free-port';
import type { Page } from '../support/gateway-client';
import { runProgram } from '../support/program';

// Real: everything that `npm start` starts, from npm to PostgreSQL.

interface Started {
  output(): string;
  /** Waits for a text on the screen. @throws if npm ends before the text appears */
  sees(text: string): Promise<void>;
  signal(name: NodeJS.Signals): void;
  code: Promise<number | null>;
}

const ROOT = join(__dirname, '..', '..');

describe('npm start', () => {
  let folder: string;
  let env: Record<string, string>;
  const running: Started[] = [];
  /** A running `npm start` that a test leaves for the next test, because a start takes longer than most checks. */
  let left: Started | null = null;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'passerelle-start-'));
    env = {
      DATA_DIR: join(folder, 'data'),
      PORT: String(await aFreePort()),
      OPS_PORT: String(await aFreePort()),
      SIMULATOR_PORT: String(await aFreePort()),
      DEMO_PORT: String(await aFreePort()),
      CONSOLE_PORT: String(await aFreePort()),
    };
  });

  afterAll(async () => {
    for (const started of running) started.signal('SIGKILL');
    const data = await realpath(join(folder, 'data', 'postgres')).catch(() => null);
    if (data?.includes('passerelle-data-') === true) await rm(dirname(data), { recursive: true, force: true });
    await rm(folder, { recursive: true, force: true });
  });

  const npmStart = (variables: Record<string, string> = {}): Started => {
    const started = startNpm({ ...env, ...variables });
    running.push(started);
    return started;
  };

  /** The `npm start` that the previous test left running, or a new one. */
  const goOnWith = async (): Promise<Started> => {
    const started = left ?? npmStart();
    left = null;
    await started.sees('Ctrl-C stops everything.');
    return started;
  };

  it('prints what it started and a working curl line, and leaves no process behind after SIGTERM', async () => {
    const started = npmStart();
    await started.sees('Ctrl-C stops everything.');

    expect(started.output()).toMatch(/apimo\/demo +240 +demo-apimo-not-a-secret\n/);
    expect(started.output()).toMatch(/kyero\/demo +220 +demo-kyero-not-a-secret\n/);
    expect(started.output()).toMatch(/poliris\/demo +260 +demo-poliris-not-a-secret\n/);
    expect(await followPrintedLine(started.output())).toMatchObject({
      status: 'success',
      meta: { total: 240, per_page: 2 },
    });
    expect((await stat(join(folder, 'data', 'instance.json'))).mode & 0o777).toBe(0o600);
    expect(await answersOfPhotos(env['PORT']!)).toEqual(['200 image/jpeg', '200 image/webp']);
    expect(await answersOfDemo(started.output())).toEqual(['200 text/html; charset=utf-8', '200 image/jpeg']);

    expect(await answerOfConsole(started.output())).toContain('Sign in as demo');

    const processes = runningProcesses(folder);
    started.signal('SIGTERM');
    await started.code;
    await sleep(100);
    expect(processes.filter(isAlive)).toEqual([]);
    expect(processes).toHaveLength(5);
  });

  it('reuses its data, serves operators, and refuses a second start in the same folder', async () => {
    const started = npmStart();
    await started.sees('Ctrl-C stops everything.');

    const { stdout } = await runProgram('apps/ops/src/main.js', { DATA_DIR: env['DATA_DIR']! }, ['runs', '--json']);
    const runs = JSON.parse(stdout) as RunView[];
    expect(runs.filter(({ state }) => state === 'published')).toHaveLength(3);
    expect(runs.filter(({ state }) => state === 'unchanged').length).toBeGreaterThanOrEqual(3);

    const second = npmStart();
    expect(await second.code).toBe(1);
    expect(second.output()).toMatch(/cannot run: it is running already in .* \(process \d+\)/);
    left = started;
  });

  it('cleans up after an earlier start that was killed', async () => {
    const killed = await goOnWith();
    const { pid } = lockNote(folder);
    process.kill(pid, 'SIGKILL');
    await killed.code;

    const started = npmStart();
    await started.sees('Ctrl-C stops everything.');

    expect(started.output()).toContain(`An earlier start (process ${pid}) did not end properly: cleaning up after it.`);
    left = started;
  });

  it('stops everything when one of its processes ends', async () => {
    const started = await goOnWith();
    const processes = runningProcesses(folder);
    const ingestor = lockNote(folder).children.find(({ script }) => script.includes('ingestor'));
    process.kill(ingestor!.pid, 'SIGKILL');

    expect(await started.code).toBe(1);
    expect(started.output()).toContain('cannot run: the ingestor ended (signal SIGKILL); the end of');
    expect(processes.filter(isAlive)).toEqual([]);
  });

  it.each(['PORT', 'OPS_PORT'])('reports %s when its port is in use', async (name) => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;

    const started = npmStart({ [name]: String(port) });

    expect(await started.code).toBe(1);
    expect(started.output()).toContain(
      `Passerelle cannot run: port ${port} is in use by another program: stop it, or set ${name} to another port\n`,
    );
    server.close();
  });

  it('gives the simulator a free port when its usual port is in use, and reads the feeds from there', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;

    const started = npmStart({ SIMULATOR_PORT: String(port) });
    await started.sees('Ctrl-C stops everything.');

    const [, simulatorPort] = /Simulator +http:\/\/localhost:(\d+)/.exec(started.output()) ?? [];
    expect(Number(simulatorPort)).toBeGreaterThan(port);
    expect(started.output()).toMatch(/kyero\/demo +220 +demo-kyero-not-a-secret\n/);
    started.signal('SIGINT');
    await started.code;
    server.close();
  });

  it('reports a folder that it cannot write to', async () => {
    const file = join(folder, 'a-file');
    await writeFile(file, '');

    const started = npmStart({ DATA_DIR: file });

    expect(await started.code).toBe(1);
    expect(started.output()).toMatch(
      /cannot run: DATA_DIR .*a-file cannot be written \(\w+\): fix its rights, or set DATA_DIR/,
    );
  });

  it('reports a Redis that it cannot reach', async () => {
    const started = npmStart({ REDIS_URL: `redis://127.0.0.1:${await aFreePort()}/0` });

    expect(await started.code).toBe(1);
    expect(started.output()).toContain(
      'cannot run: the Redis of REDIS_URL (127.0.0.1) cannot be reached: ECONNREFUSED\n',
    );
  });

  it('reports an invalid setting', async () => {
    const started = npmStart({ PORT: 'http' });

    expect(await started.code).toBe(1);
    expect(started.output()).toContain('cannot run: PORT must be an integer from 0 to 65535, not "http"\n');
  });
});

function startNpm(env: Record<string, string>): Started {
  const npm = spawn('npm', ['start'], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Start npm in a separate process group, as a terminal does: Ctrl-C must reach all processes of the group.
    detached: true,
  });
  let output = '';
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const end: { code: number | null; isOver: boolean } = { code: null, isOver: false };
  const code = new Promise<number | null>((resolve) => {
    npm.once('close', (exitCode) => {
      Object.assign(end, { code: exitCode, isOver: true });
      resolve(exitCode);
    });
  });
  return {
    output: () => output,
    async sees(text) {
      while (!output.includes(text)) {
        if (end.isOver) throw new Error(`npm start ended (${String(end.code)}):\n${output}`);
        await sleep(50);
      }
    },
    signal: (name) => {
      if (!end.isOver && npm.pid !== undefined) process.kill(-npm.pid, name);
    },
    code,
  };
}

interface LockNote {
  pid: number;
  children: { pid: number; script: string }[];
}

/** The answers for the first stored photo of the Poliris demo: in original size, and 320 pixels wide. */
async function answersOfPhotos(port: string): Promise<string[]> {
  const query = 'crm=poliris&client=demo&per_page=10';
  const response = await fetch(`http://localhost:${port}/v1/properties?${query}`, {
    headers: { key: 'demo-poliris-not-a-secret' },
  });
  const { data } = (await response.json()) as Page<Listing>;
  const photo = data.flatMap(({ photos }) => photos).find(({ url }) => url.includes('/media/'));
  return Promise.all(
    ['', '?w=320'].map(async (size) => {
      const answer = await fetch(`${photo!.url}${size}`, { headers: { accept: 'image/webp,*/*' } });
      await answer.arrayBuffer();
      return `${answer.status} ${answer.headers.get('content-type')}`;
    }),
  );
}

/** The text of the page that the printed link opens. */
async function answerOfConsole(output: string): Promise<string> {
  const link = /http:\/\/localhost:\d+\/sign-in\?token=\S+/.exec(output)?.[0];
  return (await fetch(link!)).text();
}

/** Status and type of the demo page at the first printed address, and of the first photo on it. */
async function answersOfDemo(screen: string): Promise<string[]> {
  const [, url] = /Passerelle is running\.\n\n {2}Demo +(http:\S+\/demo) /.exec(screen) ?? [];
  const page = await fetch(url!);
  const [, photo] = /<img\s[^>]*src="([^"]+)"/.exec(await page.text()) ?? [];
  const image = await fetch(photo!, { headers: { accept: 'image/jpeg' } });
  await image.arrayBuffer();
  return [page, image].map(({ status, headers }) => `${status} ${headers.get('content-type')}`);
}

function lockNote(folder: string): LockNote {
  return JSON.parse(readFileSync(join(folder, 'data', 'start.lock'), 'utf8')) as LockNote;
}

/** Process ids of the programs that `npm start` started, and of PostgreSQL. */
function runningProcesses(folder: string): number[] {
  const postmaster = readFileSync(join(folder, 'data', 'postgres', 'postmaster.pid'), 'utf8');
  return [...lockNote(folder).children.map(({ pid }) => pid), Number(postmaster.split('\n')[0])];
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Requests the printed curl line. */
async function followPrintedLine(screen: string): Promise<Page<Listing>> {
  const [, key, url] = /curl -s -H 'Key: ([^']+)' '([^']+)'/.exec(screen) ?? [];
  const response = await fetch(url!, { headers: { Key: key! } });
  return (await response.json()) as Page<Listing>;
}
