import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { aFreePort } from '../../support/free-port';
import { type ConsoleUnderTest, PASSWORD, startConsole, type Visitor } from './console-under-test';

const SCRIPT = join(__dirname, '../../support/identity-provider.mjs');
const ACCOUNTS = {
  alice: { preferred_username: 'alice', realm_access: { roles: ['offline', 'viewer', 'operator'] } },
  bob: { preferred_username: 'bob', realm_access: { roles: ['offline'] } },
  'u-17': { preferred_username: 'admin', realm_access: { roles: ['admin'] } },
  eve: { preferred_username: 'eve', realm_access: { roles: ['admin'] } },
};

// Real: the console over HTTP, PostgreSQL, an OpenID Connect provider with its pages. Fake: the browser.
describe('console sign-in through an identity provider', () => {
  let console: ConsoleUnderTest;
  let provider: ChildProcess;
  let port: number;
  // With these limits, a request without an answer fails with an error that names the request.
  const agent = new Agent({ headersTimeout: 30_000, bodyTimeout: 30_000 });
  const returnsTo = 'http://console.test/sign-in/callback';

  const startProvider = async (accounts: object = ACCOUNTS): Promise<void> => {
    provider = fork(SCRIPT, [String(port), JSON.stringify(accounts), returnsTo], { execArgv: [], silent: true });
    const gone = once(provider, 'exit').then(([code]) => {
      throw new Error(`the provider ended with ${code}`);
    });
    await Promise.race([once(provider, 'message'), gone]);
    gone.catch(() => undefined);
  };
  const stopProvider = async (): Promise<void> => {
    if (provider.exitCode !== null || provider.signalCode !== null) return;
    const gone = once(provider, 'exit');
    provider.kill('SIGKILL');
    await gone;
  };
  const tell = async (message: { accounts?: object; forges?: boolean }): Promise<void> => {
    const taken = once(provider, 'message');
    provider.send(message);
    await taken;
  };
  beforeAll(async () => {
    port = await aFreePort();
    console = await startConsole({
      ...{ OIDC_ISSUER: `http://127.0.0.1:${port}`, OIDC_CLIENT_ID: 'console', CONSOLE_URL: 'http://console.test' },
      ...{ OIDC_CLIENT_SECRET: 'the secret of the console', OIDC_ROLE_CLAIM: 'realm_access.roles' },
    });
    await console.signedIn('admin');
    await startProvider();
  });
  afterAll(async () => {
    await stopProvider();
    await console.close();
    await agent.close();
  });

  /**
   * Acts as the browser at the provider: follows redirects, enters the name, and agrees. @returns the path by which the
   * provider sends the browser back
   */
  const signInThere = async (address: string, login: string): Promise<string> => {
    const cookies = new Map<string, string>();
    const ask = async (url: string, form?: Record<string, string>): Promise<{ location?: string; text: string }> => {
      const answer = await request(url, {
        dispatcher: agent,
        method: form === undefined ? 'GET' : 'POST',
        headers: {
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        ...(form !== undefined && { body: new URLSearchParams(form).toString() }),
      });
      for (const set of [answer.headers['set-cookie'] ?? []].flat()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
        cookies.set(name, value);
      }
      const location = answer.headers['location'];
      const text = await answer.body.text();
      return typeof location === 'string' ? { location: new URL(location, url).href, text } : { text };
    };
    let { location, text } = await ask(address);
    for (let step = 0; step < 20; step += 1) {
      if (location?.startsWith(returnsTo) === true) return location.slice('http://console.test'.length);
      if (location !== undefined) ({ location, text } = await ask(location));
      else {
        const action = /action="([^"]+)"/.exec(text)?.[1] ?? '';
        const prompt = /name="prompt" value="([^"]+)"/.exec(text)?.[1] ?? '';
        ({ location, text } = await ask(action, { prompt, login, password: 'x' }));
      }
    }
    throw new Error(`nobody came back: ${text.slice(0, 300)}`);
  };
  const leave = async (browser: Visitor, to = '/'): Promise<string> =>
    (await browser.get(`/sign-in/provider?to=${encodeURIComponent(to)}`)).location ?? '';
  const signIn = async (login: string, browser = console.visitor()) => {
    const back = await signInThere(await leave(browser, '/audit'), login);
    return { browser, back, shown: await browser.get(back) };
  };

  it("signs in a user with a role, under the user's name, and continues to the requested page", async () => {
    const { browser, shown } = await signIn('alice');
    expect([shown.status, shown.location]).toEqual([303, '/audit']);
    expect((await browser.get('/')).text).toContain('alice (operator)');
    expect(await console.db.database.operators.find('alice')).toMatchObject({ role: 'operator', disabledAt: null });
    expect(await console.db.database.audit.list({ who: 'alice', limit: 9 })).toMatchObject([
      { act: 'operator add', through: 'console', after: { operator: 'alice', role: 'operator' } },
    ]);
    // The operator has no password, so every password fails, even an empty one.
    for (const password of ['', PASSWORD]) {
      expect((await console.visitor().post('/sign-in', { name: 'alice', password })).status).toBe(401);
    }
  });

  it('offers the provider beside the password, and remembers the requested page', async () => {
    const { text } = await console.visitor().get('/sign-in?to=%2Faudit%3Fwho%3Da');
    expect(text).toContain(`href="/sign-in/provider?to=%2Faudit%3Fwho%3Da"`);
    expect(text).toContain('name="password"');
  });

  it('rejects a user without a role at the provider, and states this reason', async () => {
    const { browser, shown } = await signIn('bob');
    expect([shown.status, shown.text.includes('gives no role')]).toEqual([403, true]);
    expect((await browser.get('/')).location).toBe('/sign-in');
    expect(await console.db.database.operators.find('bob')).toBeNull();
  });

  it('gives another name to a user of the provider who has the name of a local operator', async () => {
    const { browser, shown } = await signIn('u-17');
    expect(shown.status).toBe(303);
    expect((await browser.get('/')).text).toContain(`admin@127.0.0.1-${port} (admin)`);
    expect(await console.db.query(`SELECT subject FROM operator WHERE name = 'admin'`)).toEqual([{ subject: null }]);
  });

  it('rejects a disabled operator, whatever the provider says', async () => {
    await signIn('eve');
    await console.db.database.operators.setDisabled('eve', true);
    const { browser, shown } = await signIn('eve');
    expect([shown.status, (await browser.get('/')).location]).toEqual([403, '/sign-in']);
  });

  it("accepts the provider's answer only once, from the same browser, and unchanged", async () => {
    const { back, shown, browser } = await signIn('alice');
    expect(shown.status).toBe(303);
    expect((await browser.get(back)).status).toBe(400);
    const other = console.visitor();
    const stolen = await signInThere(await leave(console.visitor()), 'alice');
    expect((await other.get(stolen)).status).toBe(400);
    await leave(other);
    expect((await other.get(stolen)).status).toBe(502);
    const third = console.visitor();
    const mine = await signInThere(await leave(third), 'alice');
    expect((await third.get(mine.replace('code=', 'code=x'))).status).toBe(502);
    expect((await third.get(mine)).status).toBe(400);
    for (const visitor of [other, third]) expect((await visitor.get('/')).location).toBe('/sign-in');
  });

  it('rejects an answer of the provider that is older than ten minutes', async () => {
    const browser = console.visitor();
    const back = await signInThere(await leave(browser), 'alice');
    console.wait(601);
    expect((await browser.get(back)).status).toBe(400);
  });

  it('continues to a page of the console when the requested address is on another site', async () => {
    const browser = console.visitor();
    const back = await signInThere(await leave(browser, '//evil.example'), 'alice');
    expect((await browser.get(back)).location).toBe('/');
  });

  it('accepts new signing keys of the provider, and updates the role', async () => {
    expect((await signIn('alice')).shown.status).toBe(303);
    await stopProvider();
    await startProvider({ alice: { preferred_username: 'renamed', realm_access: { roles: 'viewer' } } });
    const { browser, shown } = await signIn('alice');
    expect(shown.status).toBe(303);
    expect((await browser.get('/')).text).toContain('alice (viewer)');
    await stopProvider();
    await startProvider({ alice: { preferred_username: 'alice' } });
    // Without a role claim, the sign-in fails, and open sessions end.
    expect((await signIn('alice')).shown.status).toBe(403);
    expect((await browser.get('/')).location).toBe('/sign-in');
  });

  it('rejects an identity that the provider has not signed', async () => {
    await stopProvider();
    await startProvider();
    expect((await signIn('alice')).shown.status).toBe(303);
    await tell({ forges: true });
    const { browser, shown } = await signIn('alice');
    expect(shown.status).toBe(502);
    expect((await browser.get('/')).location).toBe('/sign-in');
  });

  it('applies a changed role within a minute, even to a form, and ends sessions of users without a role', async () => {
    await stopProvider();
    await startProvider();
    const say = (accounts: object): Promise<void> => tell({ accounts });
    const { browser } = await signIn('alice');
    expect((await browser.get('/')).text).toContain('alice (operator)');
    await say({ alice: { preferred_username: 'alice', realm_access: { roles: ['viewer'] } } });
    console.wait(61);
    const act = { name: 'a view', query: 'state=held' };
    expect((await browser.post('/gateways/views', act, '/gateways')).status).toBe(403);
    expect((await browser.get('/')).text).toContain('alice (viewer)');
    // Refresh repeatedly, and in two windows at the same time, although each refresh token works only once.
    console.wait(61);
    expect((await Promise.all([browser.get('/'), browser.get('/audit')])).map(({ status }) => status)).toEqual([
      200, 200,
    ]);
    await say({ alice: { preferred_username: 'alice', realm_access: { roles: [] } } });
    console.wait(61);
    expect((await browser.get('/')).location).toBe('/sign-in');
  });

  it('keeps a session while the provider is unavailable for some minutes, and ends the session after a longer outage', async () => {
    await stopProvider();
    await startProvider();
    const { browser } = await signIn('alice');
    await stopProvider();
    console.wait(120);
    expect((await browser.get('/')).status).toBe(200);
    console.wait(780);
    expect((await browser.get('/')).location).toBe('/sign-in');
    await startProvider();
    // When the provider restarts, it ends all of its sessions.
    const { browser: other } = await signIn('alice');
    await stopProvider();
    await startProvider();
    console.wait(61);
    expect((await other.get('/')).location).toBe('/sign-in');
  });

  it('lets the local admin sign in with the password while the provider is slow or unavailable', async () => {
    const browser = console.visitor();
    const back = await signInThere(await leave(browser), 'alice');
    provider.kill('SIGSTOP');
    const backMs = performance.now();
    const unanswered = await browser.get(back);
    expect([unanswered.status, performance.now() - backMs < 15_000]).toEqual([502, true]);
    const startedMs = performance.now();
    const slow = await browser.get('/sign-in/provider?to=%2Faudit');
    expect([slow.status, performance.now() - startedMs < 15_000]).toEqual([503, true]);
    expect(slow.text).toContain('does not answer');
    await stopProvider();
    const away = await browser.get('/sign-in/provider?to=%2Faudit');
    expect(away.status).toBe(503);
    expect(away.text).toContain('name="to" value="/audit"');
    expect((await browser.post('/sign-in', { name: 'admin', password: PASSWORD, to: '/audit' })).location).toBe(
      '/audit',
    );
  });
});

describe('authenticating proxy', () => {
  let console: ConsoleUnderTest;
  afterEach(() => console.close());

  it("names the user in each request, and grants only that user's role", async () => {
    console = await startConsole({ CONSOLE_TRUSTED_HEADER: 'X-Remote-User', CONSOLE_TRUSTED_PROXIES: '127.0.0.0/8' });
    await console.signedIn('viewer');
    const { operators } = console.db.database;
    const browser = console.visitor();
    const as = (name: string) => browser.get('/', { 'x-remote-user': name });
    expect((await as('viewer')).text).toContain('viewer (viewer)');
    expect((await browser.get('/')).location).toBe('/sign-in');
    expect((await as('nobody')).location).toBe('/sign-in');
    const { text } = await as('viewer');
    const csrf = /name="_csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
    const add = { _csrf: csrf, name: 'new', role: 'admin' };
    expect((await browser.send('/operators/add', add, { 'x-remote-user': 'viewer' })).status).toBe(403);
    expect((await browser.send('/operators/add', { ...add, _csrf: '' }, { 'x-remote-user': 'viewer' })).status).toBe(
      403,
    );
    await operators.setDisabled('viewer', true);
    expect((await as('viewer')).location).toBe('/sign-in');
  });

  it('is trusted only from its own network, whatever the headers say', async () => {
    console = await startConsole({
      ...{ CONSOLE_TRUSTED_HEADER: 'X-Remote-User', CONSOLE_TRUSTED_PROXIES: '10.0.0.0/8', TRUST_PROXY: '127.0.0.1' },
    });
    await console.signedIn('admin');
    const headers = { 'x-remote-user': 'admin', 'x-forwarded-for': '10.0.0.7' };
    expect((await console.visitor().get('/', headers)).location).toBe('/sign-in');
  });

  it('is ignored when no trusted header is configured', async () => {
    console = await startConsole();
    await console.signedIn('admin');
    expect((await console.visitor().get('/', { 'x-remote-user': 'admin' })).location).toBe('/sign-in');
    expect((await console.visitor().get('/sign-in/provider')).status).toBe(404);
  });
});
