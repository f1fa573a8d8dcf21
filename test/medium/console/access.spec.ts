import { hkdfSync } from 'node:crypto';
import { AddController } from '../../../apps/console/src/connectors/add.controller';
import { CsvController } from '../../../apps/console/src/connectors/csv.controller';
import { ConnectorsController } from '../../../apps/console/src/connectors/connectors.controller';
import { GatewayController } from '../../../apps/console/src/gateways/gateway.controller';
import { EditController } from '../../../apps/console/src/editing/edit.controller';
import { KeysController } from '../../../apps/console/src/editing/keys.controller';
import { SnapshotsController } from '../../../apps/console/src/gateways/snapshots.controller';
import { GatewaysController } from '../../../apps/console/src/gateways/gateways.controller';
import { SavedViewsController } from '../../../apps/console/src/gateways/saved-views.controller';
import { NotificationsController } from '../../../apps/console/src/notifications/notifications.controller';
import { PushController } from '../../../apps/console/src/push/push.controller';
import { AdvertsController } from '../../../apps/console/src/exports/adverts.controller';
import { ExportsController } from '../../../apps/console/src/exports/exports.controller';
import { OperatorsController } from '../../../apps/console/src/history/operators.controller';
import { HomeController } from '../../../apps/console/src/home/home.controller';
import { RunsController } from '../../../apps/console/src/runs/runs.controller';
import secureSession from '@fastify/secure-session';
import { OPERATOR_ROLES, type OperatorRole, SecretBox } from '@passerelle/domain';
import fastify from 'fastify';
import { addExportedPlacement } from '../../support/exports/placements';
import { FakeWorker } from '../ops/fake-worker';
import {
  CONSOLE_SECRET,
  type ConsoleUnderTest,
  type FormFields,
  PASSWORD,
  SECRETS_KEY,
  startConsole,
  tokenOf,
} from './console-under-test';

const OPS_TOKEN = 'token-of-the-operators';
const HELD = { state: 'held', reasonCode: 'vanished', reason: 'half of it went' } as const;

// Real: the console over HTTP, PostgreSQL with the operating role, sessions. Fake: the clock, the ingestor.
describe('console access', () => {
  let console: ConsoleUnderTest;
  let gateway: number;
  let held: number;
  beforeAll(async () => {
    console = await startConsole({ OPS_TOKEN });
    await console.db.database.connectors.register([{ id: 'kyero', label: 'Kyero', type: 'xml', notes: '' }]);
    gateway = await console.db.database.gateways.add(
      {
        ...{ crm: 'kyero', client: 'a', sourceUrl: 'https://feeds.example.org/x.xml', settings: {}, credentials: null },
        ...{ everySeconds: null, contractEnd: null },
      },
      { hash: Buffer.alloc(32, 1), prefix: 'psr_a' },
    );
    const worker = new FakeWorker(console.db);
    await worker.run(gateway, { listings: ['A', 'B'] });
    held = await worker.run(gateway, { listings: ['A'] }, HELD);
    await addExportedPlacement(console.db, gateway);
    for (const role of OPERATOR_ROLES) await console.signedIn(role);
    await console.signedIn('viewer');
  });
  afterAll(() => console.close());

  it.each(['/gateways/kyero/%00', '/gateways/%00/a', '/gateways/kyero/a/listings/%00', '/gateways?q=%00'])(
    'never answers 500 to a NUL character in an address: %s',
    async (path) => {
      expect((await (await console.signedIn('admin')).get(path)).status).toBeLessThan(500);
    },
  );

  const PAGES = [
    '/',
    '/gateways',
    '/gateways/kyero/a',
    '/listings',
    '/connectors',
    '/connectors/kyero',
    '/runs',
    '/problems',
    '/leads',
    '/exports',
    '/exports/1',
    '/gateways/kyero/a/adverts',
    '/deliveries',
    '/notifications',
    '/gateways/kyero/a/push',
    '/gateways/kyero/a/keys',
    '/audit',
    '/audit.csv',
    '/operators',
    '/about',
  ];
  const PAGES_OF_IDS = () => [`/runs/${held}`, '/gateways/kyero/a/listings/A'];
  const ACTS = (): [path: string, fields: FormFields, needs: OperatorRole][] => [
    [
      '/gateways/new/csv',
      { act: 'add', csv: 'crm,client,source\nkyero,many,https://feeds.example.org/m.xml' },
      'operator',
    ],
    ['/gateways/views', { act: 'save', name: 'late ones', state: 'overdue' }, 'operator'],
    ['/gateways/views', { act: 'remove', name: 'late ones' }, 'operator'],
    ['/gateways/choose', { act: 'ingest', scope: 'chosen', ids: String(gateway) }, 'operator'],
    ['/gateways/act', { act: 'dry-run', ids: String(gateway) }, 'operator'],
    ...(['ingest', 'retry', 'dry-run', 'disable', 'enable'] as const).map((act): [string, FormFields, OperatorRole] => [
      ...(['/gateways/kyero/a/act', { act }, 'operator'] as const),
    ]),
    ...(['pause', 'resume'] as const).map((act): [string, FormFields, OperatorRole] => [
      ...(['/gateways/kyero/a/act', { act, reason: 'they move' }, 'operator'] as const),
    ]),
    ['/gateways/act', { act: 'pause', ids: String(gateway), reason: 'they move' }, 'operator'],
    ['/gateways/act', { act: 'resume', ids: String(gateway) }, 'operator'],
    [...(['/connectors/kyero/add', { client: 'new', source: 'https://feeds.example.org/n.xml' }, 'operator'] as const)],
    ['/connectors/pause', { crm: 'kyero', reason: 'they move' }, 'operator'],
    ['/connectors/resume', { crm: 'kyero' }, 'operator'],
    [`/runs/${held + 1}/cancel`, {}, 'operator'],
    [`/runs/${held}/decide`, { verdict: 'discard', reason: 'half' }, 'operator'],
    ['/runs/publish-all', { reason: 'version 1.0', upTo: String(held) }, 'operator'],
    ...(['add', 'rotate', 'test', 'remove', 'open', 'close', 'replay'] as const).map(
      (act): [string, FormFields, OperatorRole] => [
        ...(['/gateways/kyero/a/push', { act, url: 'https://agence.example/hook', id: '1' }, 'operator'] as const),
      ],
    ),
    ['/gateways/kyero/a/edit', { act: 'save' }, 'operator'],
    ['/notifications', { act: 'add-channel', kind: 'email', address: 'a@agence.example' }, 'operator'],
    ['/exports/1', { act: 'pause' }, 'operator'],
    ['/gateways/kyero/a/adverts', { act: 'retry', advert: '1:A' }, 'operator'],
    ['/gateways/kyero/a/revert', { to: 'none', reason: 'half' }, 'operator'],
    ['/gateways/kyero/a/release', {}, 'operator'],
    ...(['rotate', 'revoke', 'make', 'revoke-token'] as const).map((act): [string, FormFields, OperatorRole] => [
      ...(['/gateways/kyero/a/keys', { act, id: '99', sure: '1' }, 'operator'] as const),
    ]),
    ['/gateways/kyero/a/remove', { name: 'another' }, 'admin'],
    ['/operators/add', { name: 'new', role: 'viewer' }, 'admin'],
    ['/operators/change', { name: 'viewer', act: 'enable' }, 'admin'],
    ['/operators/change', { name: 'new', act: 'passwd' }, 'admin'],
    ['/operators/change', { name: 'new', act: 'role', role: 'operator' }, 'admin'],
    ['/operators/change', { name: 'new', act: 'disable' }, 'admin'],
    ['/operators/change', { name: 'new', act: 'remove' }, 'admin'],
  ];
  const rank = (role: OperatorRole): number => OPERATOR_ROLES.indexOf(role);
  const state = async (): Promise<unknown> => [
    await console.db.query('SELECT crm, client, enabled FROM gateway ORDER BY id'),
    await console.db.query('SELECT count(*) FROM api_key'),
    await console.db.query('SELECT name, query FROM saved_view'),
    await console.db.query('SELECT crm, host, gateway_id FROM pause ORDER BY id'),
    await console.db.query('SELECT id, state, cancel_requested FROM run ORDER BY id'),
    await console.db.query('SELECT name, role, session_epoch, disabled_at FROM operator ORDER BY name'),
    await console.db.query('SELECT id, url FROM webhook_endpoint ORDER BY id'),
    await console.db.query('SELECT id FROM call_address ORDER BY id'),
    await console.db.query('SELECT id, is_on, held FROM placement ORDER BY id'),
    await console.db.query('SELECT id FROM audit ORDER BY id'),
  ];

  it('is tested for every POST route', () => {
    // A new POST route fails this test until ACTS has its path.
    const POST = 1;
    const posts = [
      ...[GatewayController, GatewaysController, ConnectorsController, AddController],
      ...[CsvController, SavedViewsController, RunsController, OperatorsController, HomeController],
      ...[PushController, EditController, KeysController, SnapshotsController],
      ...[NotificationsController, ExportsController, AdvertsController],
    ].flatMap(({ prototype }) =>
      Object.values(Object.getOwnPropertyDescriptors(prototype))
        .map(({ value }) => value as object)
        .filter((handler) => Reflect.getMetadata('method', handler) === POST),
    );
    expect(posts).toHaveLength(new Set(ACTS().map(([path]) => path)).size);
    for (const handler of posts) expect(Reflect.getMetadata('needed-role', handler)).toMatch(/^(operator|admin)$/);
  });

  it('redirects visitors without a session from each page to the sign-in, and remembers the page', async () => {
    for (const path of [...PAGES, ...PAGES_OF_IDS()]) {
      const { status, location, text } = await console.visitor().get(path);
      const to = path === '/' ? '/sign-in' : `/sign-in?to=${encodeURIComponent(path)}`;
      expect({ path, status, location, text }).toEqual({ path, status: 303, location: to, text: '' });
    }
  });

  it('redirects forms of visitors without a session to the sign-in, and changes nothing', async () => {
    const before = await state();
    for (const [path, fields] of ACTS()) {
      const { status, location } = await console.visitor().post(path, fields);
      // A typed reason is shown again, on a page that leads to the sign-in.
      const expected =
        'reason' in fields ? { status: 401, location: undefined } : { status: 303, location: '/sign-in' };
      expect({ path, status, location }).toEqual({ path, ...expected });
    }
    expect(await state()).toEqual(before);
  });

  it.each(OPERATOR_ROLES)('shows every page to a %s, and allows only the actions of that role', async (role) => {
    const browser = await console.signedIn(role);
    for (const path of [...PAGES, ...PAGES_OF_IDS()]) {
      expect({ path, status: (await browser.get(path)).status }).toEqual({ path, status: 200 });
    }
    for (const [path, fields, needs] of ACTS()) {
      const before = await state();
      const { status } = await browser.post(path, fields, '/operators');
      if (rank(role) < rank(needs)) {
        expect({ path, fields, status }).toEqual({ path, fields, status: 403 });
        expect(await state()).toEqual(before);
      } else {
        // An earlier action may have ended the run or decided about the run.
        expect({ path, fields, allowed: [200, 303, 409, 422].includes(status) }).toEqual({
          path,
          fields,
          allowed: true,
        });
      }
    }
  });

  it("shows metrics only with the operators' token, and otherwise treats their path as unknown", async () => {
    const ask = (authorization?: string) =>
      console.visitor().get('/metrics', authorization === undefined ? {} : { authorization });
    const unknown = await console.visitor().get('/metricz');
    const admin = await console.signedIn('admin');
    for (const answer of [await ask(), await ask('Bearer another'), await ask(`Basic ${OPS_TOKEN}`)]) {
      expect([answer.status, answer.text]).toEqual([404, unknown.text.replaceAll('metricz', 'metrics')]);
    }
    expect((await admin.get('/metrics')).status).toBe(404);
    const { status, text } = await ask(`Bearer ${OPS_TOKEN}`);
    expect(status).toBe(200);
    expect(text).toContain('passerelle_console_answers_total{route="/metrics",status="404"} 4');
    expect(text).toContain('passerelle_console_answers_total{route="none",status="404"}');
    expect(text).not.toMatch(/metricz|kyero/);
  });

  it('rejects a form without a token, with the token of another session, or with a token from before the sign-in', async () => {
    const browser = await console.signedIn('admin');
    const other = await console.signedIn('admin');
    const anonymous = tokenOf((await console.visitor().get('/sign-in')).text);
    const foreign = tokenOf((await other.get('/')).text);
    const before = await state();
    for (const [path, fields] of ACTS()) {
      for (const token of ['', anonymous, foreign, `${foreign}x`]) {
        const { status, text } = await browser.send(path, { ...fields, _csrf: token });
        expect({ path, token, status }).toEqual({ path, token, status: 403 });
        expect(text).toContain('has expired or is invalid');
      }
    }
    expect(await state()).toEqual(before);
    for (const path of ['/sign-in', '/sign-in/link', '/sign-out']) {
      expect((await console.visitor().send(path, { name: 'admin', password: PASSWORD })).status).toBe(403);
    }
  });

  it('replaces the session at the sign-in', async () => {
    const browser = console.visitor();
    const page = await browser.get('/sign-in');
    const planted = browser.cookies.get('passerelle');
    await browser.send('/sign-in', { _csrf: tokenOf(page.text), name: 'admin', password: PASSWORD });
    expect(browser.cookies.get('passerelle')).not.toBe(planted);
    const attacker = console.visitor();
    attacker.cookies.set('passerelle', planted!);
    expect((await attacker.get('/')).location).toBe('/sign-in');
    // The token of the old session is invalid as well.
    expect((await browser.send('/sign-out', { _csrf: tokenOf(page.text) })).status).toBe(403);
  });

  it('ends a session after half an hour without use, after twelve hours, and at the sign-out', async () => {
    const browser = await console.signedIn('viewer');
    for (let minutes = 0; minutes < 90; minutes += 29) {
      expect((await browser.get('/')).status).toBe(200);
      console.wait(29 * 60);
    }
    console.wait(60);
    expect((await browser.get('/')).location).toBe('/sign-in');
    const next = await console.signedIn('viewer');
    const copied = next.cookies.get('passerelle');
    expect((await next.post('/sign-out', {}, '/')).location).toBe('/sign-in');
    expect((await next.get('/')).location).toBe('/sign-in');
    next.cookies.set('passerelle', copied!);
    expect((await next.get('/')).location).toBe('/sign-in');
  });

  it('ends sessions immediately when their operator gets another password or is disabled', async () => {
    const { operators } = console.db.database;
    const [browser, other] = [await console.signedIn('viewer'), await console.signedIn('viewer')];
    await operators.setDisabled('viewer', true);
    expect((await browser.get('/')).location).toBe('/sign-in');
    expect((await console.visitor().post('/sign-in', { name: 'viewer', password: PASSWORD })).status).toBe(401);
    await operators.setDisabled('viewer', false);
    // The earlier session stays ended.
    expect((await other.get('/')).location).toBe('/sign-in');
    expect((await (await console.signedIn('viewer')).get('/')).status).toBe(200);
  });

  it("reads the operator's role for each request", async () => {
    const browser = await console.signedIn('operator');
    await console.db.query(`UPDATE operator SET role = 'viewer' WHERE name = 'operator'`);
    try {
      expect((await browser.post('/gateways/kyero/a/act', { act: 'ingest' }, '/')).status).toBe(403);
    } finally {
      await console.db.query(`UPDATE operator SET role = 'operator' WHERE name = 'operator'`);
    }
  });

  it.each(['https://evil.example', '//evil.example', '/\\evil.example', '/%09/evil.example', 'javascript:alert(1)'])(
    'redirects after the sign-in to a page of the console, not to %s',
    async (to) => {
      for (const role of ['admin']) {
        const browser = console.visitor();
        const page = await browser.get(`/sign-in?to=${encodeURIComponent(to)}`);
        const kept = /name="to" value="([^"]*)"/.exec(page.text)![1]!;
        expect(new URL(kept, 'http://console').origin).toBe('http://console');
        const answer = await browser.send('/sign-in', {
          _csrf: tokenOf(page.text),
          name: role,
          password: PASSWORD,
          to,
        });
        expect(answer.status).toBe(303);
        expect(new URL(answer.location!, 'http://console').origin).toBe('http://console');
        const switched = await browser.get(`/language?code=fr&to=${encodeURIComponent(to)}`);
        expect(new URL(switched.location!, 'http://console').origin).toBe('http://console');
      }
    },
  );

  it('accepts a sign-in link once, with its button, until the link expires', async () => {
    const token = await console.addLink('viewer');
    const browser = console.visitor();
    const page = await browser.get(`/sign-in?token=${token}`);
    expect(page.text).toContain('Sign in as viewer');
    expect((await browser.get('/')).location).toBe('/sign-in');
    const visitors = [browser, console.visitor(), console.visitor()];
    const answers = await Promise.all(visitors.map((one) => one.post('/sign-in/link', { token })));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 401, 401]);
    expect((await console.visitor().get(`/sign-in?token=${token}`)).text).toContain('has expired or was used');
    const over = await console.addLink('viewer', -1);
    expect((await browser.get(`/sign-in?token=${over}`)).text).toContain('has expired or was used');
    expect((await console.visitor().post('/sign-in/link', { token: over })).status).toBe(401);
  });

  it('ends sign-in links when their operator is disabled or gets another password', async () => {
    const { operators } = console.db.database;
    const [token, other] = [await console.addLink('viewer'), await console.addLink('viewer')];
    await operators.setDisabled('viewer', true);
    expect((await console.visitor().post('/sign-in/link', { token })).status).toBe(401);
    await operators.setDisabled('viewer', false);
    expect((await console.visitor().post('/sign-in/link', { token: other })).status).toBe(401);
    const third = await console.addLink('viewer');
    await operators.setPassword('viewer', (await operators.passwordHash('viewer'))!);
    expect((await console.visitor().post('/sign-in/link', { token: third })).status).toBe(401);
  });

  it('rejects links and sessions that an earlier release made with SECRETS_KEY', async () => {
    const claims = { purpose: 'console sign-in', name: 'admin', until: Date.now() + 86_400_000 };
    const token = new SecretBox(SECRETS_KEY).seal(JSON.stringify(claims)).toString('base64url');
    expect((await console.visitor().get(`/sign-in?token=${token}`)).text).not.toContain('Sign in as');
    expect((await console.visitor().post('/sign-in/link', { token })).status).toBe(401);
    const { sessionEpoch } = (await console.db.database.operators.find('admin'))!;
    // The console's clock is ahead of the test's clock, so set the time of use in the test's future.
    const usedAt = Math.floor(Date.now() / 1000) + 7 * 86_400;
    const session = { operator: 'admin', epoch: sessionEpoch, usedAt };
    const forger = console.visitor();
    forger.cookies.set('passerelle', await sessionCookie(SECRETS_KEY, session));
    expect((await forger.get('/')).location).toBe('/sign-in');
    // With the console's own key, the same cookie opens the page. So the forgery fails because of the wrong key.
    forger.cookies.set('passerelle', await sessionCookie(CONSOLE_SECRET, session));
    expect((await forger.get('/')).status).toBe(200);
  });

  it('forbids scripts, frames and caching in every answer', async () => {
    const browser = await console.signedIn('viewer');
    for (const path of ['/', '/nothing', '/sign-in']) {
      const { headers } = await browser.get(path);
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
      });
    }
  });
});

/** A session's cookie, sealed with the key that the console derives from this secret. */
async function sessionCookie(secret: string, session: object): Promise<string> {
  const server = fastify();
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'passerelle console sessions', 32));
  await server.register(secureSession, { key, expiry: 3_600, cookieName: 'passerelle' });
  await server.ready();
  const cookie = server.encodeSecureSession(server.createSecureSession({ ...session }));
  await server.close();
  return encodeURIComponent(cookie);
}
