import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSimulator, type Simulator } from '../../../tools/simulator/simulator';
import { startSite, type WebhookSite } from '../../medium/webhooks/webhook-site';
import { aFreePort } from '../../support/free-port';
import { type MailServer, startMailServer } from '../../support/mail-server';
import { type Program, runProgram, startProgram, untilReady } from '../../support/program';
import { buildRelease, commitBefore, whyNoReleaseBefore } from '../../support/release-before';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { until } from '../../support/waiting';

// Real: API, ingestor and command line of two releases as built, PostgreSQL, SMTP, HTTP. Fake: the CRM, the site, the agency's mail server.

/** The last commit with a separate table for each kind of delivery. */
const BEFORE = commitBefore('libs/database/src/migrations/0077-outbox.ts');
const ROOT = process.cwd();
const [API, INGESTOR, OPS] = ['api', 'ingestor', 'ops'].map((app) => `apps/${app}/src/main.js`) as [
  string,
  string,
  string,
];
const MIGRATE = 'tools/migrate.js';
const NAME = { crm: 'kyero', client: 'agency' };
const GATEWAY = ['--crm', NAME.crm, '--client', NAME.client];

(BEFORE === null ? describe.skip : describe)(
  `deliveries in progress during an upgrade and a rollback${BEFORE === null ? ` (${whyNoReleaseBefore()})` : ''}`,
  () => {
    let release: { root: string; remove(): void };
    let simulator: Simulator;
    let site: WebhookSite;
    let mail: MailServer;
    let db: TestDatabase;
    let dataDir: string;
    let env: Record<string, string>;
    let key: string;
    const programs: Program[] = [];

    beforeAll(async () => {
      release = buildRelease(BEFORE ?? '');
      simulator = await createSimulator({ seed: 29, counts: { kyero: 20 } });
      [site, mail] = await Promise.all([startSite(), startMailServer()]);
      db = await createTestDatabase({ isMigrated: false });
      dataDir = await mkdtemp(join(tmpdir(), 'passerelle-deliveries-'));
      env = {
        ...{
          DATABASE_URL: db.url,
          DATA_DIR: dataDir,
          REFRESH_EVERY_SECONDS: '86400',
          BASE_URL: 'http://localhost:3000',
        },
        ...{ SECRETS_KEY: randomBytes(32).toString('hex'), OPS_TOKEN: randomBytes(16).toString('hex') },
        ...{ MAIL_URL: mail.url, MAIL_FROM: 'leads@gateway.example' },
        ALLOW_PRIVATE_SOURCES: `${simulator.host},${site.hostAndPort}`,
      };
      await run(release.root, MIGRATE);
    });
    afterAll(async () => {
      for (const program of programs) program.signal('SIGKILL');
      await Promise.all(programs.map(({ ended }) => ended));
      await db.drop();
      await Promise.all([simulator.close(), site.close(), mail.stop(), rm(dataDir, { recursive: true })]);
      release.remove();
    });

    async function run(root: string, script: string, ...words: string[]): Promise<string> {
      const { code, stdout, stderr } = await runProgram(script, env, words, root);
      if (code !== 0) throw new Error(`${script} ${words.join(' ')}: ${stdout}${stderr}`);
      return stdout;
    }

    async function start(root: string, script: string): Promise<{ program: Program; url: string }> {
      const port = String(await aFreePort());
      const program = startProgram(script, { ...env, PORT: port, OPS_PORT: port }, root);
      programs.push(program);
      await untilReady(program, `http://127.0.0.1:${port}/health/ready`);
      return { program, url: `http://127.0.0.1:${port}` };
    }

    /** Makes the site and the agency's mail server refuse or accept everything. */
    function refuse(isRefusing: boolean): void {
      site.answer = (response) => response.writeHead(isRefusing ? 503 : 204).end();
      mail.refusal = isRefusing ? 451 : null;
    }

    async function send(url: string): Promise<string> {
      const id = randomUUID();
      const body = { ...NAME, id, name: 'Claire Martin', email: 'claire@visiteur.example', message: id, consent: true };
      const headers = { Key: key, 'content-type': 'application/json' };
      const { status } = await fetch(`${url}/v1/leads`, { method: 'POST', headers, body: JSON.stringify(body) });
      expect(status).toBe(202);
      return id;
    }

    const publish = async (): Promise<void> => {
      simulator.portfolios.kyero.add(0);
      expect(JSON.parse(await run(ROOT, OPS, 'ingest', ...GATEWAY, '--wait', '--json'))).toMatchObject({
        state: 'published',
      });
    };
    const count = async (sql: string): Promise<number> => (await db.query(sql)).length;
    /** The ids of the messages that the site has received since the given arrival, in order. */
    const takenSince = (from: number): string[] =>
      site.arrivals.slice(from).map(({ headers }) => String(headers['webhook-id']));
    const mailsOf = (id: string): number => mail.mails.filter(({ raw }) => raw.includes(id)).length;

    it('are sent once each with their id and number of tries, whichever release accepted them', async () => {
      const added = await run(
        release.root,
        OPS,
        'gateway',
        'add',
        ...GATEWAY,
        '--source',
        simulator.sources.kyero,
        '--json',
      );
      key = (JSON.parse(added) as { key: string }).key;
      await run(release.root, OPS, 'gateway', 'set', ...GATEWAY, '--set', 'lead-email=crm@agence.example');
      await run(release.root, OPS, 'webhook', 'add', ...GATEWAY, '--url', site.url);
      const oldApi = await start(release.root, API);
      refuse(true);
      // The gateway's first run is due immediately.
      const oldIngestor = await start(release.root, INGESTOR);
      const first = await send(oldApi.url);
      await until(async () => (await count('SELECT FROM lead WHERE tries > 0')) === 1);
      await until(async () => (await count('SELECT FROM webhook_delivery WHERE tries > 0')) === 1);
      const [{ id: message } = { id: '' }] = await db.query<{ id: string }>(
        'SELECT message_id AS id FROM webhook_event',
      );

      // Both releases run. The older release still accepts leads and publishes.
      await run(ROOT, MIGRATE);
      const newIngestor = await start(ROOT, INGESTOR);
      const second = await send(oldApi.url);
      await until(async () => (await count('SELECT FROM lead')) + (await count('SELECT FROM webhook_delivery')) === 0);
      const waiting = await db.query<{ kind: string; tries: number }>(
        `SELECT kind, tries FROM outbox WHERE message_id = ANY ($1)`,
        [[message, first]],
      );
      expect(waiting.every(({ tries }) => tries > 0)).toBe(true);
      expect(waiting.map(({ kind }) => kind).sort()).toEqual(['lead', 'webhook']);
      const from = site.arrivals.length;
      refuse(false);
      await db.query(`UPDATE outbox SET next_try_at = '-infinity' WHERE state = 'pending'`);
      await until(async () => (await count(`SELECT FROM outbox WHERE state = 'pending'`)) === 0);
      expect([takenSince(from), mailsOf(first), mailsOf(second)]).toEqual([[message], 1, 1]);
      await oldIngestor.program.stop();

      // During the rollback, this release has pending deliveries.
      refuse(true);
      await publish();
      const newApi = await start(ROOT, API);
      const third = await send(newApi.url);
      await until(async () => (await count(`SELECT FROM outbox WHERE state = 'pending' AND tries > 0`)) === 2);
      const [{ id: later } = { id: '' }] = await db.query<{ id: string }>(
        `SELECT message_id AS id FROM outbox WHERE state = 'pending' AND kind = 'webhook'`,
      );
      await newIngestor.program.stop();
      await start(release.root, INGESTOR);
      // Pretend that the minute has passed after which rows return to the old tables.
      await db.query(`UPDATE installation SET outbox_served_until = '-infinity'`);
      await until(async () => (await count('SELECT FROM outbox')) === 0);
      expect(await db.query(`SELECT state, tries > 0 AS tried FROM webhook_delivery ORDER BY id DESC LIMIT 1`)).toEqual(
        [{ state: 'pending', tried: true }],
      );
      const then = site.arrivals.length;
      refuse(false);
      await db.query(`UPDATE lead SET next_try_at = '-infinity' WHERE delivered_at IS NULL`);
      await db.query(`UPDATE webhook_endpoint SET next_try_at = '-infinity'`);
      await until(async () => (await count(`SELECT FROM webhook_delivery WHERE state = 'pending'`)) === 0);
      await until(async () => (await count('SELECT FROM lead WHERE delivered_at IS NULL')) === 0);
      expect([takenSince(then), mailsOf(third)]).toEqual([[later], 1]);
      expect([first, second, third].map(mailsOf)).toEqual([1, 1, 1]);
    });
  },
);
