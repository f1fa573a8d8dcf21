import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { addGateway, type ApiUnderTest, type SeededGateway, startApi } from '../../medium/api/api-under-test';
import { type IngestorUnderTest, startIngestor } from '../../medium/ops-port/ingestor-under-test';
import { aKyeroFeed, aProperty } from '../../support/kyero-feed';
import { type MisbehavingProxy, type Mischief, startMisbehavingProxy } from '../../support/misbehaving-proxy';
import { until } from '../../support/waiting';
import { describeWordPress } from '../../wordpress/support/programs';
import { createSite, type Site } from '../../wordpress/support/site';

const SECRETS_KEY = 'the-key-of-the-webhooks-of-this-site';
const SEED = { affId: 'old', intitule: 'Ancienne' };
const NOT_NEW = { status: 304 };
/** PHP code that waits until another process of the site waits for a lock. */
const UNTIL_ONE_WAITS = `
  $waiting = "SELECT 1 FROM information_schema.processlist WHERE db = DATABASE() AND state = 'User lock'";
  while ($GLOBALS['wpdb']->get_var($waiting) === null) usleep(25000);`;

// Real: WordPress without cron and with one PHP process, MariaDB, the plugin, the API, the ingestor, PostgreSQL. Fake:
// the CRM, and a proxy in front of the API.
describeWordPress('the webhook of a gateway to a site', () => {
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
  beforeEach(() => {
    proxy.mischief = () => 'pass';
  });

  /** PHP code that fills in the form of the plugin's page. */
  const form = (): string => `
    wp_set_current_user(1);
    $_POST = ['base' => '${proxy.url}', 'crm' => 'kyero', 'client' => '${gateway.client}', 'key' => '${gateway.key}', 'name' => 'kyero/${gateway.client}'];
    $submit = Closure::bind(fn($deed) => self::$deed(), null, 'Passerelle\\WordPress\\Admin');`;
  /** Connects the site again, and lets it fetch the list. @returns the secret of the webhook */
  async function connect(): Promise<string> {
    const [isGood, secret] = await site.php<[boolean, string]>(`${form()}
      $submit('forget');
      $done = $submit('gateway');
      Passerelle\\WordPress\\Sync::slice();
      return [$done[0], Passerelle\\WordPress\\Webhook::secret('kyero/${gateway.client}')];`);
    expect(isGood).toBe(true);
    proxy.requests.length = 0;
    return secret;
  }
  const keep = (isAsked: boolean): Promise<string> =>
    site.php(
      `Passerelle\\WordPress\\Webhook::keepAll(${String(isAsked)}); return Passerelle\\WordPress\\Webhook::told('kyero/${gateway.client}');`,
    );
  const hook = (): string =>
    `${site.url}/?rest_route=/passerelle/v1/webhook/${createHash('md5').update(`kyero/${gateway.client}`).digest('hex')}`;
  const registered = async (): Promise<{ id: number; url: string }[]> =>
    (await api.get(`/v1/webhooks?${gateway.query}`, gateway.headers)).body.data;
  const unregister = (id: number) =>
    api.send('DELETE', `/v1/webhooks/${id}?${gateway.query}`, { headers: gateway.headers });
  const idsThere = async (): Promise<number[]> => (await registered()).map(({ id }) => id);

  /** Sends a webhook message as the gateway does. @returns the answer's status */
  async function tell(secret: string, { id = `msg_${++messages}`, atMs = Date.now(), snapshot = '', sent = '' } = {}) {
    const body = JSON.stringify({ type: 'list.published', timestamp: '', data: { snapshot } });
    const signature = new Webhook(secret).sign(id, new Date(atMs), body);
    const headers = {
      ...{ 'content-type': 'application/json', 'webhook-id': id, 'webhook-signature': signature },
      'webhook-timestamp': String(Math.floor(atMs / 1000)),
    };
    return (await fetch(hook(), { method: 'POST', headers, body: sent || body })).status;
  }
  /**
   * Returns how often the site requested the list. First waits for the site's own requests, because its only process
   * handles them one by one.
   */
  async function lists(): Promise<number> {
    for (let turn = 0; turn < 2; turn += 1)
      await (await fetch(`${site.url}/?rest_route=/passerelle/v1/nothing`)).arrayBuffer();
    return proxy.requests.filter(({ path }) => path === '/v1/manifest').length;
  }

  it('brings a new listing to the pages without cron', async () => {
    await connect();
    expect(await registered()).toEqual([expect.objectContaining({ url: hook(), events: ['list.published'] })]);
    expect(await keep(false)).toBe('The gateway notifies this site when the list changes. No message has come yet.');
    ingestor.crm.answer = { body: aKyeroFeed([aProperty('1', { town: 'Nouvelleville' })]) };
    await ingestor.database.runRequests.request({ gatewayId: gateway.id, trigger: 'ops', forced: true });
    await until(async () => (await (await fetch(`${site.url}/annonces/`)).text()).includes('Nouvelleville'));
    expect(await keep(false)).toMatch(/The last message came on .+\.$/);
  });

  it('has a sealed secret that pages do not load', async () => {
    const secret = await connect();
    expect(secret).toMatch(/^whsec_/);
    const stored = await site.php<{ autoload: string; option_value: string }[]>(
      `return $GLOBALS['wpdb']->get_results("SELECT autoload, option_value FROM wp_options WHERE option_name LIKE 'passerelle\\\\_webhook%'");`,
    );
    expect(stored.map(({ autoload }) => autoload)).toEqual(['no']);
    expect(stored[0]!.option_value).not.toContain('whsec_');
    const page = await site.php<string>(
      `require_once ABSPATH . 'wp-admin/includes/template.php'; wp_set_current_user(1); ob_start(); Passerelle\\WordPress\\AdminPage::show(); return ob_get_clean();`,
    );
    expect(page).toContain('notifies this site when the list changes');
    expect(page).not.toContain(secret);
  });

  it('is accepted only with its signature, near its timestamp, and has an effect only once', async () => {
    const secret = await connect();
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

  it('starts one or two slices for any number of simultaneous messages, and none for a message without a signature', async () => {
    const secret = await connect();
    const own = `${site.url}/?rest_route=/passerelle/v1/slice`;
    expect((await fetch(own, { method: 'POST' })).status).toBe(202);
    expect(await lists()).toBe(0);
    const statuses = await Promise.all(Array.from({ length: 12 }, () => tell(secret)));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect([1, 2]).toContain(await lists());
  });

  it('is recorded during a slice, and another slice follows', async () => {
    const secret = await connect();
    let told = 0;
    proxy.mischief = async ({ path }): Promise<Mischief> => {
      if (path === '/v1/manifest' && told === 0) {
        told = await tell(secret);
        // This request notices the running slice.
        await (await fetch(`${site.url}/?rest_route=/passerelle/v1/nothing`)).arrayBuffer();
      }
      return 'pass';
    };
    expect(await site.slice()).toMatchObject({ state: 'done' });
    expect(await lists()).toBe(2);
  });

  it('starts another slice when its message arrived before the API knew the new list', async () => {
    const secret = await connect();
    proxy.mischief = ({ path }) => (path === '/v1/manifest' ? NOT_NEW : 'pass');
    await tell(secret, { snapshot: 'another' });
    expect(await lists()).toBe(2);
  });

  it('is registered again after a new key, a reactivation or a lost registration, and removed by a deactivation', async () => {
    const first = await connect();
    const before = await idsThere();
    await site.php(`${form()} return $submit('gateway');`);
    const after = await idsThere();
    expect(after).toHaveLength(1);
    expect(after).not.toEqual(before);
    expect(await tell(first)).toBe(401);

    const [off, on] = await site.php<[unknown[], unknown[]]>(`
      $there = fn() => Passerelle\\WordPress\\Settings::client(current(Passerelle\\WordPress\\Settings::all()['gateways']), 5)->webhooks();
      Passerelle\\WordPress\\Schedule::deactivate();
      $off = $there();
      Passerelle\\WordPress\\Schedule::activate();
      return [$off, $there()];`);
    expect([off, on]).toEqual([[], [expect.objectContaining({ url: hook() })]]);
    const [again] = await idsThere();
    await unregister(again!);
    await keep(false);
    expect(await registered()).toEqual([]);
    await keep(true);
    expect(await registered()).toEqual([expect.objectContaining({ url: hook() })]);

    await site.php(`${form()} return $submit('forget');`);
    expect(await registered()).toEqual([]);
    expect((await fetch(hook(), { method: 'POST' })).status).toBe(410);
  });

  it('is registered once, with the valid secret, when two processes of the site register at the same time', async () => {
    await connect();
    await site.php(`Passerelle\\WordPress\\Webhook::forget('kyero/${gateway.client}'); return 1;`);
    proxy.requests.length = 0;
    let isFirst = true;
    const watch = site.startPhp(UNTIL_ONE_WAITS);
    const oneWaits = once(watch, 'exit');
    proxy.mischief = async ({ method, path }): Promise<Mischief> => {
      if (method !== 'POST' || path !== '/v1/webhooks' || !isFirst) return 'pass';
      isFirst = false;
      // The gateway has registered the webhook. Its answer is delayed, within the site's time limit, so that the other
      // process can act in the meantime.
      const body = { crm: gateway.crm, client: gateway.client, url: hook(), events: ['list.published'] };
      const { status, text } = await api.send('POST', '/v1/webhooks', { headers: gateway.headers, body });
      await Promise.race([oneWaits, sleep(2_000)]);
      return { status, headers: { 'content-type': 'application/json' }, body: text };
    };
    const [secret] = await Promise.all(
      [1, 2].map(() =>
        site.php<string>(`
          Passerelle\\WordPress\\Webhook::keepAll(true);
          return Passerelle\\WordPress\\Webhook::secret('kyero/${gateway.client}');`),
      ),
    ).finally(() => watch.kill());
    expect(await idsThere()).toHaveLength(1);
    expect(proxy.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
    expect(await tell(secret!)).toBe(200);
  });

  it('has a valid secret again within minutes after a copy of the site registered the same address at the same time', async () => {
    await connect();
    const body = { crm: gateway.crm, client: gateway.client, url: hook() };
    const other = await api.send('POST', '/v1/webhooks', { headers: gateway.headers, body });
    const looksAfter = (seconds: number): Promise<number> =>
      site.php(`
        $option = 'passerelle_webhook_' . md5('kyero/${gateway.client}');
        $hook = get_option($option);
        update_option($option, ['next' => $hook['next'] - ${seconds}] + $hook, false);
        Passerelle\\WordPress\\Webhook::keepAll();
        return get_option($option)['id'];`);
    expect(await looksAfter(0)).not.toBe(other.body.data.id);
    const settled = await looksAfter(300);
    expect(await idsThere()).toEqual([settled]);
    expect(settled).not.toBe(other.body.data.id);
    await site.php(`${form()} return $submit('forget');`);
  });

  it('waits when the limit of registrations is reached, and is registered later', async () => {
    for (let n = 0; n < 5; n += 1) {
      const body = { crm: gateway.crm, client: gateway.client, url: `https://agence.example/${n}` };
      await api.send('POST', '/v1/webhooks', { headers: gateway.headers, body });
    }
    await connect();
    expect(await keep(false)).toContain('it has reached its maximum number of webhooks');
    await unregister((await idsThere())[0]!);
    expect(await keep(true)).toContain('when the list changes');
    for (const id of await idsThere()) await unregister(id);
  });

  it('is not registered by a site that the gateway cannot reach', async () => {
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
