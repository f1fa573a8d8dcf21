import sharp from 'sharp';
import { addGateway, type ApiUnderTest, someListings, startApi } from '../medium/api/api-under-test';
import { type MisbehavingProxy, startMisbehavingProxy } from '../support/misbehaving-proxy';
import { describeWordPress } from './support/programs';
import { createSite, type Site, type Slice } from './support/site';

const OTHERS = 4;

// Real: WordPress, MariaDB, the plugin, the API. Fake: the ingestor, and the photo server.
describeWordPress('plugin with several gateways', () => {
  let api: ApiUnderTest;
  let proxy: MisbehavingProxy;
  let site: Site;
  /** The large gateway's name, then the other gateways' names. */
  let names: string[];

  beforeAll(async () => {
    [api, site] = await Promise.all([startApi(), createSite()]);
    proxy = await startMisbehavingProxy(api.url);
    const image = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#46a' } })
      .jpeg()
      .toBuffer();
    proxy.mischief = ({ path }) => (path.startsWith('/photo-') ? { status: 200, body: image } : 'pass');
  });
  afterAll(async () => {
    await proxy.close();
    await Promise.all([api.close(), site.close()]);
  });
  beforeEach(async () => {
    await site.empty();
    await site.php(`delete_option('passerelle_turns'); delete_option('passerelle'); return 1;`);
    names = [];
  });

  async function connect(listings: { affId: string }[]): Promise<void> {
    const gateway = await addGateway(api.database, { listings });
    await api.testDatabase.query(
      `UPDATE listing_version SET photos_empreinte = left(md5(aff_id), 16) WHERE gateway_id = $1`,
      [gateway.id],
    );
    const before = await site.php<object>('return Passerelle\\WordPress\\Settings::all()["gateways"];');
    await site.connect({ ...gateway, base: proxy.url }, { photos: 'import' });
    names.push(`${gateway.crm}/${gateway.client}`);
    await site.php(`$all = Passerelle\\WordPress\\Settings::all();
      $all['gateways'] += json_decode('${JSON.stringify(before)}', true) ?: [];
      Passerelle\\WordPress\\Settings::save($all); return 1;`);
  }

  /**
   * Runs a slice in which each listing or photo takes time. @returns the slice of each gateway, in the order of `names`
   */
  async function slice(seconds: number, slow: 'save_post' | 'add_attachment'): Promise<Slice[]> {
    const slices = await site.php<Record<string, Slice>>(`
      add_action('${slow}', function ($id) { if (strpos(get_the_title($id), 'Vaste') === 0) usleep(300000); });
      return Passerelle\\WordPress\\Sync::slice(${seconds}, true);`);
    return names.map((name) => slices[name]!);
  }
  const summary = (name: string): Promise<string> =>
    site.php<string>(
      `$state = Passerelle\\WordPress\\Settings::state('${name}'); return Passerelle\\WordPress\\Admin::summary($state['last'] ?? ['state' => '']);`,
    );

  it('imports the lists of the other gateways while the photos of one gateway take long', async () => {
    const photos = Array.from({ length: 30 }, (_, n) => ({
      url: `${proxy.url}/photo-${n}.jpg`,
      empreinte: String(n).padStart(16, 'a'),
    }));
    await connect([{ affId: 'V', intitule: 'Vaste maison', photos } as { affId: string }]);
    expect(await slice(3, 'add_attachment')).toMatchObject([{ state: 'more' }]);
    for (let n = 0; n < OTHERS; n += 1) await connect(someListings(1));
    const first = await slice(6, 'add_attachment');
    expect(first.slice(1)).toMatchObject(Array.from({ length: OTHERS }, () => ({ state: 'done', added: 1 })));
    expect(first[0]).toMatchObject({ state: 'more' });
    expect(first[0]!.photos).toBeGreaterThan(0);
  });

  it('gives the next slice to the waiting gateways when the list of one gateway takes long', async () => {
    await connect(someListings(60).map((one, at) => ({ ...one, intitule: `Vaste ${at}` })));
    for (let n = 0; n < OTHERS; n += 1) await connect(someListings(1));
    // Simulates that the other gateways have had their turn.
    await site.php(
      `update_option('passerelle_turns', ['count' => 9, 'lists' => array_fill_keys(json_decode('${JSON.stringify(names.slice(1))}'), 9)], false); return 1;`,
    );
    const first = await slice(3, 'save_post');
    expect(first[0]).toMatchObject({ state: 'more' });
    expect(first.slice(1)).toEqual(Array.from({ length: OTHERS }, () => ({ state: 'waiting' })));
    expect(await summary(names[1]!)).not.toContain('did not answer');
    expect(
      await site.php(`wp_set_current_user(1); require_once ABSPATH . 'wp-admin/includes/template.php';
        ob_start(); Passerelle\\WordPress\\AdminPage::show(); return ob_get_clean();`),
    ).toContain('It waits for its turn');
    expect(await site.php(`return wp_next_scheduled('passerelle_slice_more') === false;`)).toBe(true);
    await site.php(`Passerelle\\WordPress\\Schedule::goOnAfter(['a/b' => ['state' => 'waiting']]); return 1;`);
    expect(await site.php(`return wp_next_scheduled('passerelle_slice_more') === false;`)).toBe(false);

    const second = await slice(6, 'save_post');
    expect(second.slice(1)).toMatchObject(Array.from({ length: OTHERS }, () => ({ state: 'done', added: 1 })));
    expect(second[0]).toMatchObject({ state: 'more' });
    expect(second[0]!.added).toBeGreaterThan(0);
  });

  it('continues with the next gateway after the work for one gateway killed the process', async () => {
    await connect(someListings(1).map((one) => ({ ...one, intitule: 'Vaste' })));
    await connect(someListings(1));
    const killed = `add_action('save_post', function ($id) { if (get_the_title($id) === 'Vaste') posix_kill(getmypid(), SIGKILL); });
      return Passerelle\\WordPress\\Sync::slice(20, true);`;
    for (let round = 0; round < 3; round += 1) await site.php(killed).catch(() => undefined);
    expect(
      await site.php(`return array_map(['Passerelle\\WordPress\\Table', 'countLive'], ${JSON.stringify(names)});`),
    ).toEqual([1, 1]);
    expect(await summary(names[0]!)).toBe('');
    expect(await summary(names[1]!)).not.toBe('');
  });
});
