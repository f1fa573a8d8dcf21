import { once } from 'node:events';
import {
  addGateway,
  type ApiUnderTest,
  publishListings,
  type SeededGateway,
  someListings,
  startApi,
  type TestListing,
} from '../medium/api/api-under-test';
import { type MisbehavingProxy, type Mischief, startMisbehavingProxy } from '../support/misbehaving-proxy';
import { untilServed } from '../support/until-served';
import { describeWordPress } from './support/programs';
import { createSite, type Site, type Slice, sliceCode } from './support/site';

const titlesOf = (list: readonly TestListing[]): object =>
  Object.fromEntries(list.map(({ affId, intitule }) => [affId, intitule]));

// Real: WordPress, MariaDB, PHP, the plugin, the API, PostgreSQL. Fake: the ingestor, and a proxy that damages
// answers.
describeWordPress('plugin', () => {
  let api: ApiUnderTest;
  let proxy: MisbehavingProxy;
  let gateway: SeededGateway;
  let site: Site;

  beforeAll(async () => {
    [api, site] = await Promise.all([startApi(), createSite()]);
    proxy = await startMisbehavingProxy(api.url);
  });
  afterAll(async () => {
    await proxy.close();
    await Promise.all([api.close(), site.close()]);
  });
  beforeEach(async () => {
    proxy.mischief = () => 'pass';
    gateway = await addGateway(api.database, { listings: someListings(12) });
    await site.empty();
    await site.connect({ ...gateway, base: proxy.url });
    proxy.requests.length = 0;
  });

  const publish = async (list: readonly TestListing[]): Promise<void> => {
    await publishListings(api.database, gateway.id, list);
    await untilServed(api.testDatabase, gateway, [api.url]);
  };

  /** The titles that visitors see. */
  async function live(): Promise<object> {
    const shown = await site.shown();
    expect(shown.filter(({ posts }) => posts !== 1)).toEqual([]);
    return Object.fromEntries(
      shown.filter(({ status }) => status === 'publish').map(({ affId, title }) => [affId, title]),
    );
  }

  const asked = (): string[] => proxy.requests.splice(0).map(({ method, path }) => `${method} ${path}`);

  it('imports the list, then needs one request when nothing has changed, and four after a listing joined and another left', async () => {
    expect(await site.slice()).toMatchObject({ state: 'done', added: 12, updated: 0, removed: 0, failed: [] });
    expect(await live()).toEqual(titlesOf(someListings(12)));
    expect(asked()).toEqual(['GET /v1/manifest', 'GET /v1/properties', 'POST /v1/report']);
    expect(await api.database.reports.newest(gateway.id)).toMatchObject({
      ...{ status: 'success', count: 12, added: 12, plugin: 'passerelle-wordpress 1.1.0' },
    });

    expect(await site.slice()).toMatchObject({ state: 'done', added: 0, updated: 0, removed: 0 });
    expect(asked()).toEqual(['GET /v1/manifest']);

    const list = [...someListings(12).slice(1), { affId: 'new', intitule: 'Neuf & grand' }];
    list[0] = { ...list[0]!, intitule: 'Un autre titre' };
    await publish(list);
    expect(await site.slice()).toMatchObject({ state: 'done', added: 1, updated: 1, removed: 1 });
    expect(asked()).toEqual(['GET /v1/manifest', 'GET /v1/properties', 'GET /v1/changes', 'POST /v1/report']);
    expect(await live()).toEqual({ ...titlesOf(list), new: 'Neuf &amp; grand' });
  });

  it('keeps identifiers exactly: case, accents, blanks and any length', async () => {
    const ids = ['a', 'A', 'á', 'a ', ' a', '12', '0012', 'a,b/c%?', 'x'.repeat(300), `${'x'.repeat(299)}y`, "o'b\\"];
    const list = ids.map((affId, at) => ({ affId, intitule: `Titre ${at} d'ici \\ là` }));
    await publish(list);
    expect(await site.slice()).toMatchObject({ state: 'done', added: ids.length, failed: [] });
    const shown = await site.shown();
    expect(shown.map(({ title }) => title).sort()).toEqual(list.map(({ intitule }) => intitule).sort());
    await publish(list.slice(1));
    expect(await site.slice()).toMatchObject({ state: 'done', updated: 0, removed: 1 });
  });

  it.each<[string, Mischief]>([
    ['a truncated page', 'cut'],
    ['a truncated page that looks complete', 'torn'],
    ['a connection that breaks', 'drop'],
    ['an outage', { status: 500, headers: { 'retry-after': '120' }, body: '{"status":"error"}' }],
    ['a wrong key', { status: 401, body: '{"status":"error","message":"The key is wrong."}' }],
    ['a disabled gateway', { status: 403, body: '{"status":"error"}' }],
    ['an empty list', { status: 200, body: '{"status":"success","data":[],"meta":{"total":0}}' }],
    ['an HTML page of the web host', { status: 200, body: '<html>parked</html>' }],
  ])('removes nothing and changes nothing on the site after %s', async (_name, mischief) => {
    await site.slice();
    const before = await site.shown();
    await publish([...someListings(12).slice(3), { affId: 'new', intitule: 'Neuf' }]);
    for (const path of ['/v1/manifest', '/v1/properties']) {
      proxy.mischief = (request) => (request.path === path ? mischief : 'pass');
      expect(await site.slice()).toMatchObject({ state: 'failed', added: 0, updated: 0, removed: 0 });
      expect(await site.shown()).toEqual(before);
    }
    proxy.mischief = () => 'pass';
    expect(await site.slice()).toMatchObject({ state: 'done', added: 1, removed: 3 });
  });

  it('waits for Retry-After, but asks a person to act when the key is wrong', async () => {
    proxy.mischief = () => ({ status: 500, headers: { 'retry-after': '120' }, body: '{}' });
    await site.slice();
    proxy.mischief = () => ({ status: 401, body: '{"status":"error","message":"The key is wrong."}' });
    const [waiting] = Object.values(await site.php<object>('return Passerelle\\WordPress\\Sync::slice(20, false);'));
    expect(waiting).toMatchObject({ state: 'later' });
    expect(await site.slice()).toMatchObject({
      state: 'failed',
      advice: 'ask',
      message: expect.stringContaining('the key is wrong'),
    });
    expect(asked()).toHaveLength(2);
  });

  it('continues from its last state after a wrong key is corrected', async () => {
    await site.slice();
    const before = await site.shown();
    await site.connect({ ...gateway, base: proxy.url, key: 'another-key-that-is-wrong' });
    expect(await site.slice()).toMatchObject({ state: 'failed', advice: 'ask' });
    expect(await site.shown()).toEqual(before);
    await site.connect({ ...gateway, base: proxy.url });
    expect(await site.slice()).toMatchObject({ state: 'done', added: 0, updated: 0, removed: 0 });
  });

  it('stops when its time is over, and continues in the next slice', async () => {
    await publish(someListings(60));
    const slices: Slice[] = [];
    // Each listing takes time, so that one slice is not enough for all of them.
    const slow = `add_action('save_post', function () { usleep(60000); }); ${sliceCode(2)}`;
    do slices.push(...Object.values(await site.php<Record<string, Slice>>(slow)));
    while (slices.at(-1)?.state !== 'done' && slices.length < 60);
    expect(slices.length).toBeGreaterThan(1);
    expect(slices.reduce((sum, { added }) => sum + added, 0)).toBe(60);
    expect(await live()).toEqual(titlesOf(someListings(60)));
    expect(await api.database.reports.newest(gateway.id)).toMatchObject({ count: 60, added: 60 });
  });

  it('asks for another slice when its time is over before it could report', async () => {
    await publish(someListings(3));
    proxy.mischief = ({ path }) => (path === '/v1/report' ? new Promise(() => undefined) : 'pass');
    expect(await site.slice(4)).toMatchObject({ state: 'more', added: 3 });
    proxy.mischief = () => 'pass';
    expect(await site.slice()).toMatchObject({ state: 'done', added: 0 });
    expect(await api.database.reports.newest(gateway.id)).toMatchObject({ count: 3, added: 3 });
  });

  it('makes a removed listing a draft, deletes it after a month, and publishes it when it comes back', async () => {
    await site.slice();
    await publish(someListings(10));
    await site.slice();
    expect((await site.shown()).filter(({ status }) => status === 'draft').map(({ affId }) => affId)).toEqual([
      'L-11',
      'L-12',
    ]);
    await publish(someListings(11));
    expect(await site.slice()).toMatchObject({ state: 'done', updated: 1 });
    expect((await live()) as Record<string, string>).toHaveProperty('L-11');
    await site.php(
      `global $wpdb; $wpdb->query("UPDATE {$wpdb->prefix}passerelle SET gone_at = gone_at - INTERVAL 31 DAY");`,
    );
    await site.slice();
    expect((await site.shown()).map(({ affId }) => affId)).not.toContain('L-12');
    expect(
      await site.php(
        'return (int) $GLOBALS["wpdb"]->get_var("SELECT count(*) FROM wp_posts WHERE post_type = \'passerelle_bien\'");',
      ),
    ).toBe(11);
  });

  it.each([
    ['comes back', "'_passerelle_gone'", true, 'draft'],
    ['disappears', "`gone_at` = '20", false, 'publish'],
  ])('repairs the state after a run was killed while a listing %s', async (_when, query, comesFirst, status) => {
    await site.slice();
    if (comesFirst) {
      await publish(someListings(11));
      await site.slice();
    }
    await publish(someListings(comesFirst ? 12 : 11));
    const killed = site.startPhp(`
      add_filter('query', function ($sql) { if (strpos($sql, "${query}") !== false) posix_kill(getmypid(), SIGKILL); return $sql; });
      ${sliceCode()}`);
    const [, signal] = (await once(killed, 'exit')) as [number | null, string | null];
    expect(signal).toBe('SIGKILL');
    await publish(someListings(comesFirst ? 11 : 12));
    await site.slice();
    expect((await site.shown()).find(({ affId }) => affId === 'L-12')).toMatchObject({ status, posts: 1 });
  });

  it('keeps the page of a removed listing, with its first photo, if the owner chooses this', async () => {
    await site.connect({ ...gateway, base: proxy.url }, { gone: 'keep', photos: 'link' });
    const photos = ['a', 'b'].map((name) => ({
      url: `https://photos.example/${name}.jpg`,
      empreinte: name.repeat(16),
    }));
    await publish(someListings(8, { photos }));
    await site.slice();
    await publish(someListings(7, { photos }));
    await site.slice();
    expect(
      await site.php(`
      $row = Passerelle\\WordPress\\Table::find('kyero/${gateway.client}', 'L-8');
      return [get_post_status($row['post_id']), Passerelle\\WordPress\\PostType::isGone((int) $row['post_id']), count(get_post_meta($row['post_id'], '_passerelle', true)['photos'])];`),
    ).toEqual(['publish', true, 1]);
  });

  it("removes many listings that an operator has approved, and otherwise waits for a person's decision", async () => {
    await site.slice();
    await publish(someListings(3));
    proxy.mischief = async ({ path, query, headers }) => {
      if (path !== '/v1/changes') return 'pass';
      const honest = await fetch(`${api.url}${path}?${query.toString()}`, { headers: { key: String(headers['key']) } });
      const { data, ...rest } = (await honest.json()) as { data: object[] };
      return { status: 200, body: JSON.stringify({ ...rest, data: data.map((one) => ({ ...one, approved: true })) }) };
    };
    expect(await site.slice()).toMatchObject({ state: 'done', removed: 9 });
    expect(asked().filter((one) => one.endsWith('/v1/changes'))).toHaveLength(1);
    await publish(someListings(12));
    await site.slice();
    await publish(someListings(2));
    proxy.mischief = ({ path }) => (path === '/v1/changes' ? EXPIRED : 'pass');
    expect(await site.slice()).toMatchObject({ state: 'held', removed: 0 });
    expect(Object.keys(await live())).toHaveLength(12);
    await site.php(`
      $state = Passerelle\\WordPress\\Settings::state('kyero/${gateway.client}');
      Passerelle\\WordPress\\Settings::saveState('kyero/${gateway.client}', ['approved' => $state['held']['snapshot']] + $state);`);
    expect(await site.slice()).toMatchObject({ state: 'done', removed: 10 });
  });

  it('restores posts that were deleted or moved to the trash', async () => {
    await site.slice();
    await site.php(`
      wp_delete_post(Passerelle\\WordPress\\Table::find('kyero/${gateway.client}', 'L-1')['post_id'], true);
      wp_trash_post(Passerelle\\WordPress\\Table::find('kyero/${gateway.client}', 'L-2')['post_id']);`);
    expect(await site.slice()).toMatchObject({ state: 'done', updated: 2 });
    expect(await live()).toEqual(titlesOf(someListings(12)));
  });

  it.each([
    [
      'were not completely written',
      "UPDATE wp_passerelle SET empreinte = '' WHERE aff_id IN ('L-1', 'L-2')",
      { updated: 2 },
    ],
    ['are missing', "DELETE FROM wp_passerelle WHERE aff_id IN ('L-1', 'L-2')", { added: 2 }],
  ])('repairs the site from an unchanged list when listings %s', async (_what, sql, done) => {
    await site.slice();
    await site.php(`return $GLOBALS['wpdb']->query("${sql}");`);
    expect(await site.slice()).toMatchObject({ state: 'done', ...done });
    expect(await live()).toEqual(titlesOf(someListings(12)));
    asked();
    await site.slice();
    expect(asked()).toEqual(['GET /v1/manifest']);
  });

  it('reports the listing that WordPress refuses with the reason, and continues with the other listings', async () => {
    const slices = await site.php<object>(`
      add_filter('wp_insert_post_empty_content', function ($isEmpty, $post) { return $post['post_title'] === 'Maison n° 3 à Évreux'; }, 10, 2);
      ${sliceCode()}`);
    expect(Object.values(slices)).toMatchObject([{ state: 'done', added: 11, failed: [{ affId: 'L-3' }] }]);
    expect(await api.database.reports.newest(gateway.id)).toMatchObject({
      status: 'error',
      failed: [{ affId: 'L-3' }],
    });
    expect(await site.slice()).toMatchObject({ state: 'done', updated: 1, failed: [] });
  });

  it('writes nothing while the theme or plugin that shows the listings is inactive', async () => {
    await site.slice();
    const before = await site.shown();
    await site.connect({ ...gateway, base: proxy.url }, { target: 'houzez' });
    expect(await site.slice()).toMatchObject({ state: 'failed', advice: 'ask' });
    expect(await site.shown()).toEqual(before);
  });
});

const EXPIRED: Mischief = { status: 400, body: '{"status":"error","detail":{"reason":"expired"}}' };
