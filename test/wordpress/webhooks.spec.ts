import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { addGateway, type ApiUnderTest, type SeededGateway, startApi } from '../medium/api/api-under-test';
import { type IngestorUnderTest, startIngestor } from '../medium/ops-port/ingestor-under-test';
import { aKyeroFeed, aProperty } from '../support/kyero-feed';
import { type MisbehavingProxy, startMisbehavingProxy } from '../support/misbehaving-proxy';
import { describeWordPress } from './support/programs';
import { createSite, type Site } from './support/site';

const SECRETS_KEY = 'the-key-of-the-webhooks-of-this-site';
const SEED = { affId: 'old', intitule: 'Ancienne' };
const NOT_NEW = { status: 304 };

// Real: WordPress with its cron off and one PHP process, MariaDB, the plugin, the API, the ingestor, PostgreSQL. Fake: the CRM, and a proxy before the API.
describeWordPress('a gateway that tells a site', () => {
  let ingestor: IngestorUnderTest;
  let api: ApiUnderTest;
  let proxy: MisbehavingProxy;
  let gateway: SeededGateway;
  let site: Site;
  let messages = 0;

  beforeAll(async () => {
    site = await createSite();
    const settings = { secretsKey: SECRETS_KEY, allowPrivateSources: new Set([new URL(site.url).host]) };
    ingestor = await startIngestor(settings, async ({ database, query }) => {
      gateway = await addGateway(database, { listings: [SEED] });
      await query(`UPDATE gateway_schedule SET next_run_at = now() + interval '1 hour'`);
    });
    settings.allowPrivateSources.add(ingestor.crm.hostAndPort);
    await ingestor.testDatabase.query('UPDATE gateway SET source_url = $1', [ingestor.crm.url]);
    api = await startApi({ ...settings, databaseUrl: ingestor.testDatabase.urlOf('serve') });
    proxy = await startMisbehavingProxy(api.url);
    await site.serve();
  });
  afterAll(async () => {
    await proxy.close();
    await Promise.all([api.close(), ingestor.close(), site.close()]);
  });
  beforeEach(async () => {
    proxy.mischief = () => 'pass';
    for (const { id } of await registered()) await unregister(id);
    await site.empty();
    await site.php(
      `delete_option('passerelle'); return Passerelle\\WordPress\\Webhook::forget('kyero/${gateway.client}');`,
    );
  });

  /** What the form of the plugin's page does. */
  const connect = (): Promise<[boolean, string]> =>
    site.php(`
      wp_set_current_user(1);
      $_POST = ['base' => '${proxy.url}', 'crm' => 'kyero', 'client' => '${gateway.client}', 'key' => '${gateway.key}'];
      return Closure::bind(fn() => self::gateway(), null, 'Passerelle\\WordPress\\Admin')();`);
  /** Connected, and with the list of the gateway. */
  async function synced(): Promise<string> {
    await connect();
    await site.slice();
    proxy.requests.length = 0;
    return site.php<string>(`return Passerelle\\WordPress\\Webhook::secret('kyero/${gateway.client}');`);
  }
  const keep = (isAsked: boolean): Promise<string> =>
    site.php(
      `Passerelle\\WordPress\\Webhook::keepAll(${String(isAsked)}); return Passerelle\\WordPress\\Webhook::told('kyero/${gateway.client}');`,
    );
  const registered = async (): Promise<{ id: number; url: string }[]> =>
    (await api.get(`/v1/webhooks?${gateway.query}`, gateway.headers)).body.data;
  const unregister = (id: number) =>
    api.send('DELETE', `/v1/webhooks/${id}?${gateway.query}`, { headers: gateway.headers });
  const idsThere = async (): Promise<number[]> => (await registered()).map(({ id }) => id);

  /** Sends a message as the gateway does. @returns the status of the answer */
  async function tell(secret: string, { id = `msg_${++messages}`, atMs = Date.now(), snapshot = '', sent = '' } = {}) {
    const body = JSON.stringify({ type: 'list.published', timestamp: '', data: { snapshot } });
    const signature = new Webhook(secret).sign(id, new Date(atMs), body);
    const headers = {
      ...{ 'content-type': 'application/json', 'webhook-id': id, 'webhook-signature': signature },
      'webhook-timestamp': String(Math.floor(atMs / 1000)),
    };
    const [{ url } = { url: '' }] = await registered();
    return (await fetch(url, { method: 'POST', headers, body: sent || body })).status;
  }
  /** How often the site has asked for the list, once what it asked itself for is done: its one process does one thing after the other. */
  async function lists(): Promise<number> {
    for (let turn = 0; turn < 2; turn += 1) await (await fetch(`${site.url}/?rest_route=/`)).arrayBuffer();
    return proxy.requests.filter(({ path }) => path === '/v1/manifest').length;
  }

  it('has a new listing on its pages within five seconds, without a cron', async () => {
    expect(await connect()).toEqual([true, expect.stringContaining('Connected')]);
    expect(await registered()).toEqual([
      expect.objectContaining({
        url: expect.stringContaining(`${site.url}/?rest_route=/passerelle/v1/webhook/`),
        events: ['list.published'],
      }),
    ]);
    expect(await keep(false)).toBe('The gateway tells this site of a new list at once. No message has come yet.');
    await site.slice();
    ingestor.crm.answer = { body: aKyeroFeed([aProperty('1', { town: 'Nouvelleville' })]) };
    const { query } = ingestor.testDatabase;
    const ms = async (): Promise<number> => {
      const runId = await ingestor.database.runRequests.request({
        gatewayId: gateway.id,
        trigger: 'ops',
        forced: true,
      });
      for (;;) {
        const page = await (await fetch(`${site.url}/annonces/`)).text();
        const [run] = await query<{ ms: number | null }>(
          'SELECT extract(epoch FROM clock_timestamp() - ended_at)::float8 * 1000 AS ms FROM run WHERE id = $1',
          [runId],
        );
        if (page.includes('Nouvelleville') || (run?.ms ?? 0) > 20_000) return run?.ms ?? 0;
        await sleep(50);
      }
    };
    expect(await ms()).toBeLessThan(5_000);
    expect(await keep(false)).toMatch(/The last message came on .+\.$/);
  });

  it('keeps the secret sealed, and out of what each page loads', async () => {
    const secret = await synced();
    expect(secret).toMatch(/^whsec_/);
    const stored = await site.php<{ autoload: string; option_value: string }[]>(
      `return $GLOBALS['wpdb']->get_results("SELECT autoload, option_value FROM wp_options WHERE option_name LIKE 'passerelle\\\\_webhook%'");`,
    );
    expect(stored.map(({ autoload }) => autoload)).toEqual(['no']);
    expect(stored[0]!.option_value).not.toContain('whsec_');
    const page = await site.php<string>(
      `require_once ABSPATH . 'wp-admin/includes/template.php'; wp_set_current_user(1); ob_start(); Passerelle\\WordPress\\AdminPage::show(); return ob_get_clean();`,
    );
    expect(page).toContain('tells this site of a new list at once');
    expect(page).not.toContain(secret);
  });

  it('is believed only with its signature, at its time, and once', async () => {
    const secret = await synced();
    const statuses = [
      await tell(`whsec_${Buffer.alloc(32).toString('base64')}`),
      await tell(secret, { atMs: Date.now() - 302_000 }),
      await tell(secret, { sent: '{"type":"list.published","data":{}}' }),
    ];
    expect(statuses).toEqual([401, 401, 401]);
    expect(await lists()).toBe(0);
    expect(await tell(secret, { id: 'msg_twice' })).toBe(200);
    expect(await lists()).toBe(1);
    expect(await tell(secret, { id: 'msg_twice' })).toBe(200);
    expect(await lists()).toBe(1);
  });

  it('leads to one slice, or two, however many messages it sends at once, and strangers to none', async () => {
    const secret = await synced();
    const own = `${site.url}/?rest_route=/passerelle/v1/slice`;
    expect((await fetch(own, { method: 'POST' })).status).toBe(202);
    expect(await lists()).toBe(0);
    const statuses = await Promise.all(Array.from({ length: 12 }, () => tell(secret)));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect([1, 2]).toContain(await lists());
  });

  it('is heard during a slice: another one follows', async () => {
    const secret = await synced();
    let told = 0;
    proxy.mischief = async ({ path }) => {
      if (path === '/v1/manifest' && told === 0) {
        told = await tell(secret);
        // It has seen that somebody is at work.
        await (await fetch(`${site.url}/?rest_route=/`)).arrayBuffer();
      }
      return 'pass';
    };
    expect(await site.slice()).toMatchObject({ state: 'done' });
    expect(await lists()).toBe(2);
  });

  it('is asked again when its message was faster than its API', async () => {
    const secret = await synced();
    proxy.mischief = ({ path }) => (path === '/v1/manifest' ? NOT_NEW : 'pass');
    await tell(secret, { snapshot: 'another' });
    expect(await lists()).toBe(2);
  });

  it('is told when the site changes its key, is deactivated, activated, or has lost its place', async () => {
    const first = await synced();
    const before = await idsThere();
    await connect();
    expect(await idsThere()).not.toEqual(before);
    expect(await registered()).toHaveLength(1);
    expect(await tell(first)).toBe(401);

    const [{ url } = { url: '' }] = await registered();
    await site.php('return Passerelle\\WordPress\\Schedule::deactivate();');
    expect(await registered()).toEqual([]);
    await site.php('return Passerelle\\WordPress\\Schedule::activate();');
    const [again] = await idsThere();
    expect(again).toEqual(expect.any(Number));
    await unregister(again!);
    await keep(false);
    expect(await registered()).toEqual([]);
    await keep(true);
    expect(await registered()).toEqual([expect.objectContaining({ url })]);

    await site.php(`
      wp_set_current_user(1); $_POST = ['name' => 'kyero/${gateway.client}'];
      return Closure::bind(fn() => self::forget(), null, 'Passerelle\\WordPress\\Admin')();`);
    expect(await registered()).toEqual([]);
    expect((await fetch(url, { method: 'POST' })).status).toBe(410);
  });

  it('may have no place left, and has one later', async () => {
    for (let n = 0; n < 5; n += 1) {
      const body = { crm: gateway.crm, client: gateway.client, url: `https://agence.example/${n}` };
      await api.send('POST', '/v1/webhooks', { headers: gateway.headers, body });
    }
    await connect();
    expect(await keep(true)).toContain('it tells as many sites as it can');
    await unregister((await idsThere())[0]!);
    expect(await keep(true)).toContain('at once');
  });

  it('is not asked by a site that it cannot reach', async () => {
    await connect();
    proxy.requests.length = 0;
    const why = await site.php<string[]>(`
      $said = [];
      foreach (['http://agence.example', 'https://10.1.2.3', 'https://[::1]', 'http://wordpress.local', 'https://intranet', 'https://agence.example'] as $home) {
        $said[] = Closure::bind(fn() => self::obstacle($home, 'https://listings.example'), null, 'Passerelle\\WordPress\\Webhook')();
      }
      return $said;`);
    expect(why).toEqual(['https', 'private', 'private', 'private', 'private', '']);
    const told = await site.php<string>(`
      $all = Passerelle\\WordPress\\Settings::all();
      $all['gateways']['kyero/${gateway.client}']['base'] = 'https://listings.example';
      Passerelle\\WordPress\\Settings::save($all);
      Passerelle\\WordPress\\Webhook::keepAll();
      return Passerelle\\WordPress\\Webhook::told('kyero/${gateway.client}');`);
    expect(told).toContain('because this site has no public address');
  });
});
