import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunView } from '@passerelle/domain';
import { createSimulator, type Simulator } from '../../../tools/simulator/simulator';
import { aFreePort } from '../../support/free-port';
import { type Program, runProgram, startProgram, untilReady } from '../../support/program';
import { type Proxy, startProxy } from '../../support/proxies';
import { buildRelease, releaseBefore, whyNoReleaseBefore } from '../../support/release-before';
import { LEAST_REQUESTS, startLoad } from '../../support/steady-load';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { untilServed } from '../../support/until-served';

// Real: processes of two releases as built, two APIs behind a proxy (Caddy if installed), PostgreSQL. Fake: the CRM.

const BEFORE = releaseBefore();
const ROOT = process.cwd();
const [API, INGESTOR, OPS, MIGRATE] = ['api', 'ingestor', 'ops']
  .map((app) => `apps/${app}/src/main.js`)
  .concat('tools/migrate.js') as [string, string, string, string];
const GATEWAY = ['--crm', 'kyero', '--client', 'agency'];
const itOrSkip = BEFORE === null ? it.skip : it;

const pathOf = (page: number, format = 'normalized'): string =>
  `/v1/properties?crm=kyero&client=agency&per_page=50&format=${format}&page=${page}`;

interface Running {
  url: string;
  port: number;
  program: Program;
}

describe('previous and current release on one database', () => {
  let release: { root: string; remove(): void };
  let simulator: Simulator;
  let db: TestDatabase;
  let dataDir: string;
  let secrets: Record<string, string>;
  let key: string;
  const programs: Program[] = [];
  const apis: Running[] = [];
  let proxy: Proxy | undefined;

  beforeAll(async () => {
    if (BEFORE === null) return;
    release = buildRelease(BEFORE);
    simulator = await createSimulator({ seed: 29, counts: { kyero: 120 } });
    db = await createTestDatabase({ isMigrated: false });
    dataDir = await mkdtemp(join(tmpdir(), 'passerelle-upgrade-'));
    secrets = { SECRETS_KEY: randomBytes(32).toString('hex'), OPS_TOKEN: randomBytes(16).toString('hex') };
    await run(release.root, MIGRATE);
  });

  afterAll(async () => {
    if (BEFORE === null) return;
    for (const program of programs) program.signal('SIGKILL');
    await Promise.all(programs.map(({ ended }) => ended));
    await proxy?.stop();
    await db.drop();
    await simulator.close();
    await rm(dataDir, { recursive: true });
    release.remove();
  });

  const environment = (): Record<string, string> => ({
    ...{ DATABASE_URL: db.url, DATA_DIR: dataDir, REFRESH_EVERY_SECONDS: '86400', ...secrets },
    ALLOW_PRIVATE_SOURCES: simulator.host,
    BASE_URL: 'http://localhost:3000',
  });

  async function run(root: string, script: string, ...words: string[]): Promise<string> {
    const { code, stdout, stderr } = await runProgram(script, environment(), words, root);
    if (code !== 0) throw new Error(`${script} ${words.join(' ')}: ${stdout}${stderr}`);
    return stdout;
  }

  async function start(root: string, script: string, at?: number): Promise<Running> {
    const port = at ?? (await aFreePort());
    const url = `http://127.0.0.1:${port}`;
    const settings = { ...environment(), PORT: String(port), OPS_PORT: String(port), DRAIN_SECONDS: '4' };
    const program = startProgram(script, settings, root);
    programs.push(program);
    await untilReady(program, `${url}/health/ready`);
    return { url, port, program };
  }

  /** Replaces an API with one of another release, and waits until the proxy has checked it. */
  async function replace(at: 0 | 1, root: string): Promise<Running> {
    const { program, port } = apis[at]!;
    await program.stop();
    const next = await start(root, API, port);
    apis[at] = next;
    await sleep(2_000);
    return next;
  }

  async function ingest(root: string): Promise<RunView> {
    const ended = JSON.parse(await run(root, OPS, 'ingest', ...GATEWAY, '--wait', '--json')) as RunView;
    const urls = apis.map(({ url }) => url);
    await untilServed(db, { crm: 'kyero', client: 'agency', key }, urls);
    return ended;
  }

  /**
   * Every page in both formats, as bytes. Reads the pages in a site's order, so that they belong to one pagination
   * session.
   */
  async function read(api: { url: string }): Promise<string[]> {
    const texts: string[] = [];
    for (const format of ['normalized', 'raw']) {
      for (const page of [1, 2, 3]) {
        const path = pathOf(page, format);
        const response = await fetch(api.url + path, { headers: { Key: key, 'X-Request-Id': 'upgrade' } });
        texts.push(await response.text());
        expect({ path, status: response.status }).toEqual({ path, status: 200 });
      }
    }
    return texts;
  }

  /** Finds the listings with a word, the most expensive first. Either release may have stored the search entries. */
  async function search(api: { url: string }, word: string): Promise<{ total: number; found: string[] }> {
    const path = `/v1/search?crm=kyero&client=agency&sort=-prix&q=${encodeURIComponent(word)}`;
    const response = await fetch(api.url + path, { headers: { Key: key } });
    expect(response.status).toBe(200);
    const { meta, data } = (await response.json()) as { meta: { total: number }; data: { affId: string }[] };
    return { total: meta.total, found: data.map(({ affId }) => affId) };
  }

  async function expectReady(...running: { url: string }[]): Promise<void> {
    for (const { url } of running) expect((await fetch(`${url}/health/ready`)).status).toBe(200);
  }

  itOrSkip(
    `import and serve lists while this release migrates, starts and is rolled back${BEFORE === null ? ` (${whyNoReleaseBefore()})` : ''}`,
    async () => {
      const portfolio = simulator.portfolios.kyero;
      const ports = [await aFreePort(), await aFreePort()] as const;
      for (const port of ports) apis.push(await start(release.root, API, port));
      const ingestorBefore = await start(release.root, INGESTOR);
      key = (
        JSON.parse(
          await run(release.root, OPS, 'gateway', 'add', ...GATEWAY, '--source', simulator.sources.kyero, '--json'),
        ) as { key: string }
      ).key;
      expect(await ingest(release.root)).toMatchObject({ state: 'published', added: 120 });
      const [one, other] = apis as [Running, Running];
      const pages = await read(one);
      proxy = await startProxy(ports);
      const load = startLoad({ origin: proxy.url, path: pathOf(1), headers: { Key: key } }, ({ status, body }) =>
        status === '200' ? `${(JSON.parse(body.toString()) as { data: unknown[] }).data.length} listings` : status,
      );

      // The migrations only add, so the previous release works as before.
      await run(ROOT, MIGRATE);
      await expectReady(one, other, ingestorBefore);
      expect(await read(one)).toEqual(pages);
      expect(await ingest(release.root)).toMatchObject({ state: 'unchanged' });
      portfolio.remove(portfolio.properties[3]!.id);
      portfolio.change(portfolio.properties[5]!.id, { price: 777_000 });
      expect(await ingest(release.root)).toMatchObject({ state: 'published', removed: 1, changed: 1 });

      // Both releases run at the same time. They serve the same pages under the same key, whichever release imported
      // the list.
      const ofNow = await replace(0, ROOT);
      expect(await read(ofNow)).toEqual(await read(other));
      await ingestorBefore.program.stop();
      const ingestorNow = await start(ROOT, INGESTOR);
      portfolio.add(0);
      // This release's connectors may map records differently, so changed listings are allowed.
      expect(await ingest(ROOT)).toMatchObject({ state: 'published', added: 1, removed: 0 });
      expect((await read(ofNow)).join()).toContain('777000');
      expect(await read(ofNow)).toEqual(await read(other));
      const result = await search(ofNow, 'appartement');
      expect(result.total).toBeGreaterThan(0);
      expect(await search(other, 'appartement')).toEqual(result);
      await replace(1, ROOT);
      await expectReady(...apis, ingestorNow);

      // Roll back. The previous release can read the rows that this release has written.
      await ingestorNow.program.stop();
      const again = await replace(0, release.root);
      const ingestorAgain = await start(release.root, INGESTOR);
      portfolio.add(2);
      expect(await ingest(release.root)).toMatchObject({ state: 'published', added: 1, removed: 0 });
      expect(await read(again)).toEqual(await read(apis[1]!));
      await replace(1, release.root);
      await expectReady(...apis, ingestorAgain);

      const answers = await load.stop();
      expect(answers).toEqual({ '50 listings': expect.any(Number) });
      expect(answers['50 listings']).toBeGreaterThanOrEqual(LEAST_REQUESTS);
    },
  );
});
