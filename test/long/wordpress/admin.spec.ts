import {
  addGateway,
  type ApiUnderTest,
  type SeededGateway,
  someListings,
  startApi,
} from '../../medium/api/api-under-test';
import { type MisbehavingProxy, type Mischief, startMisbehavingProxy } from '../../support/misbehaving-proxy';
import { describeWordPress } from '../../wordpress/support/programs';
import { createSite, type Site } from '../../wordpress/support/site';

const json = (status: number, body: object): Mischief => ({
  ...{ status, headers: { 'content-type': 'application/json' } },
  body: JSON.stringify(body),
});
const feed = (state: string, code: string): Mischief =>
  json(200, {
    ...{ status: 'success', meta: {} },
    data: { state, since: null, reason: { code, message: 'An English sentence of the API.' }, total: 3 },
  });

// Real: WordPress, MariaDB, the plugin, the API. Fake: the ingestor, and a proxy that sends rare answers.
describeWordPress("the plugin's page for the owner", () => {
  let api: ApiUnderTest;
  let proxy: MisbehavingProxy;
  let gateway: SeededGateway;
  let site: Site;

  beforeAll(async () => {
    [api, site] = await Promise.all([startApi(), createSite({ locale: 'fr_FR' })]);
    proxy = await startMisbehavingProxy(api.url);
  });
  afterAll(async () => {
    await proxy.close();
    await Promise.all([api.close(), site.close()]);
  });
  beforeEach(async () => {
    proxy.mischief = () => 'pass';
    await site.empty();
    gateway = await addGateway(api.database, { listings: someListings(12) });
    await site.connect({ ...gateway, base: proxy.url }, { photos: 'link' });
  });

  /** The HTML of the plugin's page, without the parts of WordPress itself. */
  const page = (before = ''): Promise<string> =>
    site.php<string>(`
      require_once ABSPATH . 'wp-admin/includes/template.php';
      wp_set_current_user(1);
      delete_transient('passerelle_feed_' . md5('kyero/${gateway.client}'));
      ${before}
      ob_start(); Passerelle\\WordPress\\AdminPage::show(); return ob_get_clean();`);

  /** Submits a form. @returns whether the action succeeded, and a message */
  const submit = (deed: string, fields: Record<string, string>): Promise<[boolean, string]> =>
    site.php(`
      wp_set_current_user(1);
      $_POST = json_decode(base64_decode('${Buffer.from(JSON.stringify(fields)).toString('base64')}'), true);
      return Closure::bind(function () { $done = self::${deed}(); if ('${deed}' === 'gateway') self::rememberForm($done[0]); return $done; }, null, 'Passerelle\\WordPress\\Admin')();`);

  it('never states that the site is up to date while a removal waits for approval', async () => {
    await site.slice();
    await site.php(`
      $state = Passerelle\\WordPress\\Settings::state('kyero/${gateway.client}');
      Passerelle\\WordPress\\Settings::saveState('kyero/${gateway.client}', ['held' => ['snapshot' => 'x', 'count' => 8, 'of' => 12], 'last' => ['state' => 'held'] + $state['last']] + $state);`);
    const html = await page();
    expect(html).toContain('une nouvelle liste vous attend');
    expect(html).toContain('Il manque');
    expect(html.toLowerCase()).not.toContain('à jour.');
    expect(html).not.toContain('>à jour<');
  });

  it('counts all listings with failed photos, even if it shows only some of them', async () => {
    await site.slice();
    await site.php(`global $wpdb;
      for ($n = 0; $n < 70; $n++) $wpdb->insert('wp_passerelle', ['gateway' => 'kyero/${gateway.client}', 'aff_id' => "f-$n", 'photo_failure' => '{"https://x.example/1.jpg":"HTTP 404"}']);
      return 1;`);
    const html = await page();
    expect(html).toContain('Photos en échec pour 70 annonces');
    expect(html).toContain('Les 50 premières sont affichées.');
    expect(html.match(/HTTP 404/g)).toHaveLength(50);
  });

  it('keeps rejected input, except the key', async () => {
    const entered = { base: proxy.url, crm: 'kyero', client: 'a-client', key: 'a-key-that-is-wrong', langue: 'es' };
    expect(await submit('gateway', entered)).toEqual([
      false,
      'La passerelle ne connaît pas ce CRM et ce client, ou la clé est erronée.',
    ]);
    const html = await page();
    for (const value of [proxy.url, 'kyero', 'a-client', 'es']) expect(html).toContain(`value="${value}"`);
    expect(html).not.toContain('a-key-that-is-wrong');
  });

  it.each([
    ['/v1', 'kyero'],
    ['/v1/', 'Kyero'],
    ['/v1/properties?crm=kyero', 'KYERO'],
  ])('accepts an address that ends with %s, and the CRM %s', async (end, crm) => {
    const [isGood] = await submit('gateway', { base: proxy.url + end, crm, client: gateway.client, key: gateway.key });
    expect(isGood).toBe(true);
    const { gateways } = await site.php<{ gateways: Record<string, { base: string }> }>(
      'return Passerelle\\WordPress\\Settings::all();',
    );
    expect(gateways[`kyero/${gateway.client}`]).toMatchObject({ base: proxy.url, crm: 'kyero' });
  });

  it('says which facts that the law wants are missing, and what to do', async () => {
    const data = {
      state: 'fresh',
      since: null,
      reason: null,
      duties_missing: { 'fr-honoraires': 2, 'fr-dpe': 3, 'xx-new': 1 },
    };
    proxy.mischief = ({ path }) => (path === '/v1/feed' ? json(200, { status: 'success', data }) : 'pass');
    const html = await page();
    const duties = [...html.matchAll(/psr-duty"><summary>([^<]*)<\/summary><p>([^<]*)/g)].map(([, ...words]) => words);
    expect(duties).toEqual([
      ['Classes énergie et climat (DPE): 3 annonces', expect.stringMatching(/^Saisissez les deux classes/)],
      ['Honoraires d’une vente: 2 annonces', expect.stringMatching(/^Indiquez qui paie/)],
      ['xx-new: 1 annonce', expect.stringMatching(/^Demandez à l’exploitant/)],
    ]);
    proxy.mischief = () => 'pass';
  });

  it("translates the gateway's English messages into French", async () => {
    for (const [state, code, words] of [
      ['failing', 'fix-access', 'La source refuse l’accès'],
      ['held', 'vanished', 'un nombre inhabituel d’annonces'],
      ['never', 'not_imported', 'pas encore été importées'],
      ['failing', 'a-code-of-tomorrow', 'Le dernier import a échoué.'],
    ] as const) {
      proxy.mischief = ({ path }) => (path === '/v1/feed' ? feed(state, code) : 'pass');
      const html = await page();
      expect(html).toContain(words);
      expect(html).not.toContain('An English sentence');
    }
    proxy.mischief = () => 'pass';
    await site.slice();
    const why = (id: string): Promise<string> => page(`$_GET = ['why' => '${id}', 'of' => 'kyero/${gateway.client}'];`);
    expect(await why('L-3')).toContain('Elle occupe le rang 3 parmi les 12 annonces diffusées.');
    expect(await why('nothing')).toContain('Aucun import enregistré ne la contient.');
  });

  it.each<[Mischief, string]>([
    [json(401, { status: 'error', message: 'English.' }), 'La passerelle ne connaît pas ce CRM'],
    [json(403, { status: 'error', message: 'English.' }), 'La passerelle est désactivée.'],
    [json(500, { status: 'error', message: 'English.' }), 'ne peut pas répondre en ce moment (HTTP 500)'],
    [{ status: 301, headers: { location: 'https://x.example' } }, 'L’adresse redirige ailleurs (HTTP 301).'],
    ['drop', 'n’a pas répondu'],
    ['cut', 'n’a pas répondu'],
  ])('states in French why a run failed', async (mischief, words) => {
    proxy.mischief = () => mischief;
    await site.slice();
    const html = await page();
    expect(html).toContain(words);
    expect(html.replace(/<style>[\s\S]*?<\/style>/, '')).not.toMatch(/English|answer|manifest/);
  });

  it('explains how to reach a gateway on the same machine', async () => {
    expect(await page()).toContain('sur la même machine que ce site');
  });
});
