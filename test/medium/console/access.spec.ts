import { AddController } from '../../../apps/console/src/connectors/add.controller';
import { CsvController } from '../../../apps/console/src/connectors/csv.controller';
import { ConnectorsController } from '../../../apps/console/src/connectors/connectors.controller';
import { GatewayController } from '../../../apps/console/src/gateways/gateway.controller';
import { GatewaysController } from '../../../apps/console/src/gateways/gateways.controller';
import { SavedViewsController } from '../../../apps/console/src/gateways/saved-views.controller';
import { PushController } from '../../../apps/console/src/push/push.controller';
import { OperatorsController } from '../../../apps/console/src/history/operators.controller';
import { HomeController } from '../../../apps/console/src/home/home.controller';
import { LIVE_PATH } from '../../../apps/console/src/layout/live';
import { RunsController } from '../../../apps/console/src/runs/runs.controller';
import { makeSignInToken, OPERATOR_ROLES, type OperatorRole, SecretBox } from '@passerelle/domain';
import { FakeWorker } from '../ops/fake-worker';
import {
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
describe('who may do what in the console', () => {
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
    for (const role of OPERATOR_ROLES) await console.signedIn(role);
    await console.signedIn('viewer');
  });
  afterAll(() => console.close());

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
    '/gateways/kyero/a/push',
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
    ...(['add', 'rotate', 'test', 'remove', 'open', 'close', 'replay'] as const).map(
      (act): [string, FormFields, OperatorRole] => [
        ...(['/gateways/kyero/a/push', { act, url: 'https://agence.example/hook', id: '1' }, 'operator'] as const),
      ],
    ),
    ['/operators/add', { name: 'new', role: 'viewer' }, 'admin'],
    ['/operators/change', { name: 'viewer', act: 'enable' }, 'admin'],
    ['/operators/change', { name: 'new', act: 'passwd' }, 'admin'],
    ['/operators/change', { name: 'new', act: 'disable' }, 'admin'],
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
    await console.db.query('SELECT id FROM audit ORDER BY id'),
  ];

  it('tries every route that there is', () => {
    // What the acts above name, with the routes that are for everybody; a new one fails here until it is tried.
    const POST = 1;
    const posts = [
      ...[GatewayController, GatewaysController, ConnectorsController, AddController],
      ...[CsvController, SavedViewsController, RunsController, OperatorsController, HomeController],
      PushController,
    ].flatMap(({ prototype }) =>
      Object.values(Object.getOwnPropertyDescriptors(prototype))
        .map(({ value }) => value as object)
        .filter((handler) => Reflect.getMetadata('method', handler) === POST),
    );
    expect(posts).toHaveLength(new Set(ACTS().map(([path]) => path)).size);
    for (const handler of posts) expect(Reflect.getMetadata('needed-role', handler)).toMatch(/^(operator|admin)$/);
  });

  it('nobody sees a page who has not signed in, and comes back to it afterwards', async () => {
    for (const path of [...PAGES, ...PAGES_OF_IDS()]) {
      const { status, location, text } = await console.visitor().get(path);
      const to = path === '/' ? '/sign-in' : `/sign-in?to=${encodeURIComponent(path)}`;
      expect({ path, status, location, text }).toEqual({ path, status: 303, location: to, text: '' });
    }
  });

  it('nobody acts who has not signed in', async () => {
    const before = await state();
    for (const [path, fields] of ACTS()) {
      const { status, location } = await console.visitor().post(path, fields);
      expect({ path, status, location }).toEqual({ path, status: 303, location: '/sign-in' });
    }
    expect(await state()).toEqual(before);
  });

  it.each(OPERATOR_ROLES)('a %s sees every page, and does what the role allows and nothing else', async (role) => {
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
        // A run may be over, or decided about, by the one before.
        expect({ path, fields, allowed: [200, 303, 409, 422].includes(status) }).toEqual({
          path,
          fields,
          allowed: true,
        });
      }
    }
  });

  it('metrics are for who has the token of the operators; for everybody else there is no such path', async () => {
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

  it('no form is taken without its token, with that of another session, or from before the sign-in', async () => {
    const browser = await console.signedIn('admin');
    const other = await console.signedIn('admin');
    const anonymous = tokenOf((await console.visitor().get('/sign-in')).text);
    const foreign = tokenOf((await other.get('/')).text);
    const before = await state();
    for (const [path, fields] of ACTS()) {
      for (const token of ['', anonymous, foreign, `${foreign}x`]) {
        const { status, text } = await browser.send(path, { ...fields, _csrf: token });
        expect({ path, token, status }).toEqual({ path, token, status: 403 });
        expect(text).toContain('was not made here');
      }
    }
    expect(await state()).toEqual(before);
    for (const path of ['/sign-in', '/sign-in/link', '/sign-out']) {
      expect((await console.visitor().send(path, { name: 'admin', password: PASSWORD })).status).toBe(403);
    }
  });

  it('a session from before the sign-in is not gone on with', async () => {
    const browser = console.visitor();
    const page = await browser.get('/sign-in');
    const planted = browser.cookies.get('passerelle');
    await browser.send('/sign-in', { _csrf: tokenOf(page.text), name: 'admin', password: PASSWORD });
    expect(browser.cookies.get('passerelle')).not.toBe(planted);
    const attacker = console.visitor();
    attacker.cookies.set('passerelle', planted!);
    expect((await attacker.get('/')).location).toBe('/sign-in');
    // Nor does the token that was in it open anything.
    expect((await browser.send('/sign-out', { _csrf: tokenOf(page.text) })).status).toBe(403);
  });

  it('a session ends after half an hour without use, after twelve hours, and when its operator signs out', async () => {
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

  it('a session ends at once with another password, and when the operator is disabled', async () => {
    const { operators } = console.db.database;
    const [browser, other] = [await console.signedIn('viewer'), await console.signedIn('viewer')];
    await operators.setDisabled('viewer', true);
    expect((await browser.get('/')).location).toBe('/sign-in');
    expect((await console.visitor().post('/sign-in', { name: 'viewer', password: PASSWORD })).status).toBe(401);
    await operators.setDisabled('viewer', false);
    // The session of before does not come back.
    expect((await other.get('/')).location).toBe('/sign-in');
    expect((await (await console.signedIn('viewer')).get('/')).status).toBe(200);
  });

  it('a role is read with each request', async () => {
    const browser = await console.signedIn('operator');
    await console.db.query(`UPDATE operator SET role = 'viewer' WHERE name = 'operator'`);
    try {
      expect((await browser.post('/gateways/kyero/a/act', { act: 'ingest' }, '/')).status).toBe(403);
    } finally {
      await console.db.query(`UPDATE operator SET role = 'operator' WHERE name = 'operator'`);
    }
  });

  it.each(['https://evil.example', '//evil.example', '/\\evil.example', '/%09/evil.example', 'javascript:alert(1)'])(
    'a sign-in leads to a page of the console, not to %s',
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

  it('a link signs in with a button, until its time is over', async () => {
    const token = makeSignInToken(new SecretBox(SECRETS_KEY), 'viewer', new Date(Date.now() + 86_400_000));
    const browser = console.visitor();
    const page = await browser.get(`/sign-in?token=${token}`);
    expect(page.text).toContain('Sign in as viewer');
    expect((await browser.get('/')).location).toBe('/sign-in');
    expect((await browser.send('/sign-in/link', { _csrf: tokenOf(page.text), token })).location).toBe('/');
    expect((await browser.get('/')).status).toBe(200);
    const over = makeSignInToken(new SecretBox(SECRETS_KEY), 'viewer', new Date(0));
    expect((await browser.get(`/sign-in?token=${over}`)).text).toContain('works no longer');
    const visitor = console.visitor();
    expect((await visitor.post('/sign-in/link', { token: over })).status).toBe(401);
  });

  it('every answer forbids scripts and frames, and is not kept', async () => {
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

describe('signing in to the console', () => {
  it('attempts to sign in are limited by name, and logged without the password', async () => {
    const console = await startConsole();
    try {
      await console.signedIn('admin');
      expect((await console.visitor().post('/sign-in', { name: 'admin', password: PASSWORD })).location).toBe('/');
      const browser = console.visitor();
      const token = tokenOf((await browser.get('/sign-in')).text);
      const attempt = () => browser.send('/sign-in', { _csrf: token, name: 'nobody', password: 'hunter2hunter2' });
      // On a slow machine a minute may be over in between.
      const statuses: number[] = [];
      while (!statuses.includes(429) && statuses.length < 25) statuses.push((await attempt()).status);
      expect(statuses.at(-1)).toBe(429);
      expect(statuses.filter((status) => status === 401).length).toBeGreaterThanOrEqual(10);
      const about = console.lines.filter(({ operator }) => operator === 'nobody');
      expect(about).toHaveLength(statuses.length);
      expect(JSON.stringify(console.lines)).not.toContain('hunter2');
      expect(JSON.stringify(console.lines)).not.toContain(PASSWORD);
      expect(
        console.lines.some(({ operator, msg }) => operator === 'admin' && msg === 'an operator has signed in'),
      ).toBe(true);
    } finally {
      await console.close();
    }
  });
});

describe('the cookie of the console', () => {
  it('is sent over TLS alone, to this host alone, and is out of reach of scripts, behind an https address', async () => {
    const console = await startConsole({ CONSOLE_URL: 'https://console.example.org' });
    try {
      const { headers } = await console.visitor().get('/sign-in');
      expect(String(headers['set-cookie'])).toMatch(
        /^__Host-passerelle=[^;]+; Path=\/; HttpOnly; Secure; SameSite=Lax$/i,
      );
      expect(headers['strict-transport-security']).toBe('max-age=31536000');
    } finally {
      await console.close();
    }
  });
});

// Real: the console over HTTP, PostgreSQL. Fake: the ingestor, with a feed that has markup in every field that a page shows.
describe('markup from a feed', () => {
  const MARK = `"><script>alert(1)</script><img src=x onerror=alert(1)>'`;
  it('is text on every page', async () => {
    const console = await startConsole();
    try {
      const { db } = console;
      await db.database.connectors.register([{ id: 'kyero', label: MARK, type: 'xml', notes: MARK }]);
      const id = await db.database.gateways.add(
        {
          ...{ crm: 'kyero', client: 'a', sourceUrl: `https://x.example/${MARK}`, settings: {}, credentials: null },
          ...{ everySeconds: null, contractEnd: null },
        },
        { hash: Buffer.alloc(32, 1), prefix: MARK },
      );
      const rejection = { position: 1, recordId: MARK, field: MARK, code: 'missing-id', message: MARK, excerpt: MARK };
      const worker = new FakeWorker(db);
      await worker.run(id, { listings: ['A', MARK] });
      const reason = { reasonCode: MARK, reason: MARK, verdict: [{ code: 'vanished', message: MARK }] };
      const run = await worker.run(id, { listings: ['A'], rejections: [rejection as never] }, {
        state: 'held',
        ...reason,
      } as never);
      await db.query('UPDATE listing_normalized SET body = $1', [
        JSON.stringify({
          affId: MARK,
          intitule: MARK,
          ville: MARK,
          codePostal: MARK,
          photos: [{ url: `https://x/${MARK}` }],
        }),
      ]);
      await db.query(
        `INSERT INTO run_warning (run_id, code, field, value, count, examples) VALUES ($1, 'unknown-word', $2, $2, 1, ARRAY[$2])`,
        [run, MARK],
      );
      await db.query(
        `INSERT INTO report (gateway_id, status, message, site_url, plugin) VALUES ($1, 'error', $2, $2, $2)`,
        [id, MARK],
      );
      await db.query(`UPDATE gateway SET sealed_source = 'x', settings = $1`, [JSON.stringify({ [MARK]: MARK })]);
      await db.database.audit.record([
        {
          who: MARK,
          through: 'ops',
          act: 'gateway set',
          crm: MARK,
          client: MARK,
          before: { [MARK]: MARK },
          reason: MARK,
        },
      ]);
      const browser = await console.signedIn('admin');
      const listing = encodeURIComponent(MARK);
      const paths = [
        '/',
        '/gateways',
        '/gateways/kyero/a',
        `/gateways/kyero/a/listings/${listing}`,
        '/runs',
        `/runs/${run}`,
      ];
      const searches = [`/gateways?q=${listing}`, `/audit?who=${listing}`, `/sign-in?to=/${listing}`, `/${listing}`];
      let marks = 0;
      for (const path of [...paths, ...searches, '/problems', '/audit', '/about']) {
        // Our own script, as it is written, and no other.
        const text = (await browser.get(path)).text.replace(`<script src="${LIVE_PATH}" defer></script>`, '');
        expect({ path, has: /<script|<img src=x|onerror=alert\(1\)>[^&]/.test(text) }).toEqual({ path, has: false });
        marks += text.split('&lt;script&gt;').length - 1;
      }
      expect(marks).toBeGreaterThan(30);
      const added = await browser.post('/operators/add', { name: MARK, role: 'viewer' }, '/operators');
      expect(added.text).not.toContain('<script');
    } finally {
      await console.close();
    }
  });
});
