import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import {
  addGateway,
  type ApiUnderTest,
  publishListings,
  type SeededGateway,
  startApi,
  type TestListing,
} from '../../medium/api/api-under-test';
import { type MisbehavingProxy, type Mischief, startMisbehavingProxy } from '../../support/misbehaving-proxy';
import { untilServed } from '../../support/until-served';
import { describeWordPress } from '../../wordpress/support/programs';
import { createSite, type Site } from '../../wordpress/support/site';

const PHOTO = '/media/';

// Real: WordPress, its media library, GD, MariaDB, the API. Fake: the ingestor, and the server with the photos.
describeWordPress('the photos of the plugin', () => {
  let api: ApiUnderTest;
  let proxy: MisbehavingProxy;
  let gateway: SeededGateway;
  let site: Site;
  let image: Buffer;

  beforeAll(async () => {
    [api, site] = await Promise.all([startApi(), createSite()]);
    proxy = await startMisbehavingProxy(api.url);
    image = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#46a' } })
      .jpeg()
      .toBuffer();
  });
  afterAll(async () => {
    await proxy.close();
    await Promise.all([api.close(), site.close()]);
  });
  beforeEach(async () => {
    await site.empty();
    rmSync(join(site.folder, 'wp-content/uploads/passerelle'), { recursive: true, force: true });
    gateway = await addGateway(api.database, { listings: [listing('A', 'abc'), listing('B', 'de')] });
    serve();
    proxy.requests.length = 0;
  });

  /** A listing with a photo per letter. The letter determines the photo's address and fingerprint. */
  function listing(affId: string, letters: string): TestListing {
    const photos = Array.from(letters, (letter) => ({
      url: `${proxy.url}${PHOTO}${affId.toLowerCase().repeat(63)}${letter}.jpg`,
      empreinte: `${affId}${letter}`.padEnd(16, '0'),
    }));
    return { affId, intitule: `Maison ${affId}`, photos };
  }

  function serve(
    other: (path: string) => Mischief = () => ({ status: 200, headers: { 'content-type': 'image/jpeg' }, body: image }),
  ): void {
    proxy.mischief = ({ path }) => (path.startsWith(PHOTO) ? other(path) : 'pass');
  }

  async function publish(...list: TestListing[]): Promise<void> {
    await publishListings(api.database, gateway.id, list);
    // The test's publisher does not compute the fingerprint of photos, so set it here: the manifest must show that the
    // photos changed.
    await api.testDatabase.query(
      `UPDATE listing_version v SET photos_empreinte = left(md5((b.body::json -> 'photos')::text), 16)
       FROM listing_normalized b WHERE b.version_id = v.id AND v.gateway_id = $1`,
      [gateway.id],
    );
    await untilServed(api.testDatabase, gateway, [api.url]);
  }

  const downloads = (): string[] =>
    proxy.requests
      .splice(0)
      .filter(({ path }) => path.startsWith(PHOTO))
      .map(({ path, query }) => `${path.slice(-6, -4)} ${query.get('w') ?? ''}`.trim());

  /**
   * Letters of the photos in the media library, by listing. `*` marks the featured photo, `!` a missing file or size.
   */
  const library = (): Promise<unknown> =>
    site.php(`$all = [];
      foreach (get_posts(['post_type' => 'passerelle_bien', 'post_status' => 'any', 'orderby' => 'title', 'order' => 'ASC', 'numberposts' => -1]) as $post) {
        $found = [];
        foreach (get_posts(['post_type' => 'attachment', 'post_parent' => $post->ID, 'post_status' => 'any', 'numberposts' => -1, 'orderby' => 'ID', 'order' => 'ASC']) as $one) {
          $isThere = is_file(get_attached_file($one->ID)) && wp_get_attachment_image_src($one->ID, 'medium')[1] === 300;
          $found[] = $one->post_content_filtered[12] . ((int) get_post_thumbnail_id($post->ID) === $one->ID ? '*' : '') . ($isThere ? '' : '!');
        }
        $all[$post->post_title] = implode(' ', $found);
      }
      return $all;`);

  /** The files of photos, without the sizes that WordPress makes of them. */
  const files = (): string[] =>
    readdirSync(join(site.folder, 'wp-content/uploads/passerelle'), { recursive: true })
      .map(String)
      .filter((name) => /\/[^/-]+\.\w+$/.test(name));

  it('are imported when the owner chose import, and only changed photos are downloaded again', async () => {
    await site.connect({ ...gateway, base: proxy.url }, { photos: 'import' });
    await publish(listing('A', 'abc'), listing('B', 'de'));
    expect(await site.slice()).toMatchObject({ state: 'done', added: 2, photos: 5 });
    expect(downloads()).toEqual(['aa 1600', 'ab 1600', 'ac 1600', 'bd 1600', 'be 1600']);
    expect(await library()).toEqual({ 'Maison A': 'a* b c', 'Maison B': 'd* e' });

    await publish(listing('A', 'axc'), listing('B', 'ed'));
    expect(await site.slice()).toMatchObject({ state: 'done', updated: 2, photos: 1 });
    expect(downloads()).toEqual(['ax 1600']);
    expect(await library()).toEqual({ 'Maison A': 'a* c x', 'Maison B': 'd e*' });
    expect(files()).toHaveLength(5);

    await site.slice();
    expect(downloads()).toEqual([]);
  });

  it('are linked by default when the gateway offers them in several sizes, and imported otherwise', async () => {
    await site.connect({ ...gateway, base: proxy.url }, { photos: 'auto' });
    const elsewhere = {
      ...listing('B', 'd'),
      photos: [{ url: `${proxy.url}/elsewhere.jpg`, empreinte: 'Bd00000000000000' }],
    };
    await publish(listing('A', 'ab'), elsewhere);
    const ofGateway = proxy.mischief;
    proxy.mischief = (request) =>
      request.path === '/elsewhere.jpg' ? { status: 200, body: image } : ofGateway(request);
    expect(await site.slice()).toMatchObject({ state: 'done', photos: 1 });
    expect(downloads()).toEqual([]);
    expect(await library()).toEqual({ 'Maison A': '', 'Maison B': 'd*' });
    expect(
      await site.php(`$post = get_posts(['post_type' => 'passerelle_bien', 'title' => 'Maison A'])[0];
        return [has_post_thumbnail($post), get_the_post_thumbnail($post)];`),
    ).toEqual([true, expect.stringContaining('aaa.jpg?w=640')]);
    // Linked and imported photos have several sizes, so that the browser chooses one.
    const [linked, imported] = await site.php<[string, string]>(
      `return array_map(function ($title) {
        $id = get_posts(['post_type' => 'passerelle_bien', 'title' => $title])[0]->ID;
        return Passerelle\\WordPress\\Pages::photo([], Passerelle\\WordPress\\Photos::shown($id, Passerelle\\WordPress\\PostType::listing($id))[0], 640);
      }, ['Maison A', 'Maison B']);`,
    );
    for (const width of [320, 640, 1024, 1600])
      expect(linked).toMatch(new RegExp(`srcset="[^"]*aaa\\.jpg\\?w=${width} ${width}w`));
    for (const part of ['-300x200.jpg 300w', '.jpg 900w']) expect(imported).toContain(part);
    for (const photo of [linked, imported]) expect(photo).toMatch(/ sizes="/);
  });

  it('are limited to one or none per listing when the owner chose this limit', async () => {
    await site.connect({ ...gateway, base: proxy.url }, { photos: 'import' });
    await publish(listing('A', 'abc'), listing('B', 'de'));
    await site.slice();
    for (const [way, expected] of [
      ['first', { 'Maison A': 'a*', 'Maison B': 'd*' }],
      ['link', { 'Maison A': '', 'Maison B': '' }],
    ] as const) {
      await site.php(`
        Passerelle\\WordPress\\Settings::save(['photos' => '${way}'] + Passerelle\\WordPress\\Settings::all());
        $GLOBALS['wpdb']->query("UPDATE wp_passerelle SET photos_done = ''"); return 1;`);
      await site.slice();
      expect(await library()).toEqual(expected);
    }
    expect(files()).toEqual([]);
  });

  it('remain in place when new photos fail, until a later slice downloads the new photos; the failure is reported', async () => {
    await site.connect({ ...gateway, base: proxy.url }, { photos: 'import' });
    await publish(listing('A', 'ab'));
    await site.slice();
    await publish(listing('A', 'xy'));
    const whole = { status: 200, body: image };
    const cut = { status: 200, headers: { 'content-length': String(image.length) }, body: image.subarray(0, 500) };
    for (const fault of [{ status: 404, body: '' }, { status: 200, body: '<html>' }, cut] as Mischief[]) {
      serve((path) => (path.includes('x.jpg') ? fault : whole));
      await site.slice();
      expect(await library()).toMatchObject({ 'Maison A': expect.stringMatching(/^a\* b( y)?$/) });
      const [row] = await site.php<{ photo_failure: string; photo_after: string }[]>(
        `return $GLOBALS['wpdb']->get_results('SELECT * FROM wp_passerelle');`,
      );
      expect(row).toMatchObject({ photo_failure: expect.stringContaining('x.jpg'), photo_after: expect.any(String) });
      await site.php(`$GLOBALS['wpdb']->query("UPDATE wp_passerelle SET photo_after = NULL"); return 1;`);
    }
    serve();
    await site.slice();
    expect(await library()).toEqual({ 'Maison A': expect.stringMatching(/^(x\* y|y x\*)$/) });
    expect(files()).toHaveLength(2);
  });

  it('are neither lost nor duplicated when a run is killed during their import', async () => {
    await site.connect({ ...gateway, base: proxy.url }, { photos: 'import' });
    await publish(listing('A', 'abc'), listing('B', 'de'));
    for (let query = 30; query < 330; query += 25) {
      await site
        .php(
          `$GLOBALS['left'] = ${query};
          add_filter('query', function ($sql) { if (--$GLOBALS['left'] === 0) posix_kill(getmypid(), SIGKILL); return $sql; });
          return Passerelle\\WordPress\\Sync::slice(20, true);`,
        )
        .catch(() => undefined);
    }
    await site.slice();
    expect(await library()).toEqual({
      'Maison A': expect.stringMatching(/^(?=.*a\*)(?=.*b)(?=.*c).{6}$/),
      'Maison B': expect.stringMatching(/^(?=.*d\*)(?=.*e).{4}$/),
    });
    expect(files()).toHaveLength(5);
  });

  it('are complete after a run that was killed between a photo and its sizes', async () => {
    await site.connect({ ...gateway, base: proxy.url }, { photos: 'import' });
    await publish(listing('A', 'ab'));
    await site
      .php(
        `add_filter('query', function ($sql) { if (strpos($sql, '_wp_attachment_metadata') !== false && strpos($sql, 'INSERT') === 0) posix_kill(getmypid(), SIGKILL); return $sql; });
        return Passerelle\\WordPress\\Sync::slice(20, true);`,
      )
      .catch(() => undefined);
    expect(files()).toHaveLength(1);
    await site.slice();
    expect(await library()).toEqual({ 'Maison A': 'a* b' });
    expect(files()).toHaveLength(2);
  });

  it('remain unchanged when a visitor opens the listing during their import', async () => {
    await site.connect({ ...gateway, base: proxy.url }, { photos: 'import' });
    await publish(listing('A', 'abc'), listing('B', 'de'));
    // A visitor comes between attachment and sizes; another plugin may prolong this time.
    const slices = await site.php<object>(`
      add_action('add_attachment', function ($id) {
        $postId = (int) get_post($id)->post_parent;
        Passerelle\\WordPress\\Photos::shown($postId, get_post_meta($postId, '_passerelle', true));
      });
      return Passerelle\\WordPress\\Sync::slice(20, true);`);
    expect(Object.values(slices)).toMatchObject([{ state: 'done', photos: 5 }]);
    expect(await library()).toEqual({ 'Maison A': 'a* b c', 'Maison B': 'd* e' });
    expect(files()).toHaveLength(5);
  });

  it('count as missing when a user deletes them during the import of other photos', async () => {
    await site.connect({ ...gateway, base: proxy.url }, { photos: 'import' });
    await publish(listing('A', 'abc'));
    await site.php(`
      add_action('add_attachment', function () {
        $first = get_posts(['post_type' => 'attachment', 'post_status' => 'any', 'orderby' => 'ID', 'order' => 'ASC', 'numberposts' => -1]);
        if (count($first) === 3) wp_delete_attachment($first[0]->ID, true);
      });
      return Passerelle\\WordPress\\Sync::slice(20, true);`);
    const [row] = await site.php<object[]>(`return $GLOBALS['wpdb']->get_results('SELECT * FROM wp_passerelle');`);
    expect(row).toMatchObject({ photos_done: '', photo_failure: expect.stringContaining('a.jpg') });
    await site.php(`$GLOBALS['wpdb']->query("UPDATE wp_passerelle SET photo_after = NULL"); return 1;`);
    await site.slice();
    expect(await library()).toEqual({ 'Maison A': expect.stringMatching(/^(?=.*a\*)(?=.*b)(?=.*c).{6}$/) });
  });
});
