import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { createSimulator, type Simulator } from '../../../tools/simulator/simulator';
import { addGateway, type ApiUnderTest, type SeededGateway, startApi } from '../../medium/api/api-under-test';
import { type MisbehavingProxy, startMisbehavingProxy } from '../../support/misbehaving-proxy';
import { frenchListings } from '../../wordpress/support/listings';
import { describeWordPress, WORDPRESS_FOLDER } from '../../wordpress/support/programs';
import { createSite, type Site, type Slice } from '../../wordpress/support/site';

/** docs/clients.md has figures of 2,000 listings: `SPEED_LISTINGS=2000` prints them. */
const SPEED_LISTINGS = process.env['SPEED_LISTINGS'];
const LISTINGS = Number(SPEED_LISTINGS ?? 60);
/** A run's own queries, whatever the number of listings. */
const OF_RUN = 40;
const WITH_PHOTOS = 4;
const PHOTOS_EACH = 5;
/** Themes of Debian's packages `wordpress-theme-…`; the tests bring the others. */
const THEMES = ['bare', 'blocks', 'twentytwentyone', 'twentytwentytwo', 'twentytwentythree'];
const BLOCKS = {
  'style.css': '/*\nTheme Name: Blocks\n*/',
  'templates/index.html': '<!-- wp:post-content /-->',
  'parts/header.html': '<!-- wp:site-title /--><!-- wp:navigation /-->',
  'parts/footer.html': '<!-- wp:paragraph --><p>Footer</p><!-- /wp:paragraph -->',
};

interface Measured {
  slice: Slice;
  queries: number;
  seconds: number;
  megabytes: number;
}

// Real: WordPress, its media library, GD, MariaDB, the API. Fake: the ingestor, and the server with the photos.
describeWordPress('the number of database queries', () => {
  let api: ApiUnderTest;
  let proxy: MisbehavingProxy;
  let simulator: Simulator;
  let gateway: SeededGateway;
  let site: Site;

  beforeAll(async () => {
    [api, simulator, site] = await Promise.all([
      startApi(),
      createSimulator({ counts: { kyero: 30 } }),
      createSite({ locale: 'fr_FR' }),
    ]);
    proxy = await startMisbehavingProxy(api.url);
    const body = await photo();
    proxy.mischief = ({ path }) =>
      path.startsWith('/media/') ? { status: 200, headers: { 'content-type': 'image/jpeg' }, body } : 'pass';
    const all = frenchListings(simulator);
    const listings = Array.from({ length: LISTINGS }, (_, at) => ({
      ...all[at % all.length]!,
      affId: `L${at}`,
      affNum: `REF${at}`,
      photos: Array.from({ length: PHOTOS_EACH }, (__, place) => ({
        url: `${proxy.url}/media/${String(at * PHOTOS_EACH + place).padStart(20, '0')}.jpg`,
        empreinte: `${at}p${place}`.padEnd(16, '0'),
        largeur: 1600,
        hauteur: 1200,
      })),
    }));
    gateway = await addGateway(api.database, {
      crm: 'kyero',
      listings: JSON.parse(JSON.stringify(listings)) as typeof listings,
    });
    await site.connect({ ...gateway, base: proxy.url }, { photos: 'auto' });
  });
  afterAll(async () => {
    await Promise.all([proxy.close(), simulator.close()]);
    await Promise.all([api.close(), site.close()]);
  });

  /** A photo of 1,600 pixels, as the gateway sends it, with details that take time to resize. */
  async function photo(): Promise<Buffer> {
    const noise = { type: 'gaussian' as const, mean: 128, sigma: 50 };
    const small = sharp({ create: { width: 200, height: 150, channels: 3, background: '#46a', noise } });
    return sharp(await small.png().toBuffer())
      .resize(1600, 1200)
      .jpeg({ quality: 80 })
      .toBuffer();
  }

  /** Runs one slice after some PHP. */
  async function slice(name: string, before = ''): Promise<Measured> {
    const seen = await site.php<Measured>(`${before}
      global $wpdb;
      [$queries, $start] = [$wpdb->num_queries, microtime(true)];
      $slices = Passerelle\\WordPress\\Sync::slice(120, true);
      return ['slice' => reset($slices), 'queries' => $wpdb->num_queries - $queries, 'seconds' => microtime(true) - $start, 'megabytes' => memory_get_peak_usage() / 1e6];`);
    if (SPEED_LISTINGS !== undefined) {
      const { added, photos } = seen.slice;
      const work = `${added} listings, ${photos} photos`;
      process.stderr.write(
        `${name}: ${work}, ${seen.queries} queries, ${seen.seconds.toFixed(2)} s, ${seen.megabytes.toFixed(0)} MB\n`,
      );
    }
    return seen;
  }

  it('is at most 12 per listing in the first run', async () => {
    const { slice: first, queries } = await slice('first run');
    expect(first).toMatchObject({ state: 'done', added: LISTINGS, failed: [] });
    expect(queries).toBeLessThanOrEqual(12 * LISTINGS + OF_RUN);
  });

  it('is at most 10 in a run without changes', async () => {
    const { slice: second, queries } = await slice('unchanged run');
    expect(second).toMatchObject({ state: 'done', requests: 1 });
    expect(queries).toBeLessThanOrEqual(10);
  });

  it('is at most 25 per photo that is imported', async () => {
    const { slice: third, queries } = await slice(
      'photos',
      `Passerelle\\WordPress\\Settings::save(['photos' => 'import'] + Passerelle\\WordPress\\Settings::all());
       $GLOBALS['wpdb']->query("UPDATE wp_passerelle SET photos_done = 'none' WHERE aff_id IN ('${Array.from({ length: WITH_PHOTOS }, (_, at) => `L${at}`).join("', '")}')");
       $GLOBALS['wpdb']->query("UPDATE wp_passerelle SET photos = 'some' WHERE photos = ''");
       $GLOBALS['wpdb']->query("UPDATE wp_passerelle SET photos_done = photos WHERE photos_done <> 'none'");`,
    );
    expect(third).toMatchObject({ state: 'done', photos: WITH_PHOTOS * PHOTOS_EACH });
    expect(queries).toBeLessThanOrEqual(25 * third.photos);
  });

  it.each(THEMES)('is at most 20 for a list and a listing in the theme %s', async (theme) => {
    if (theme === 'blocks')
      for (const [name, text] of Object.entries(BLOCKS)) {
        const file = join(site.folder, 'wp-content/themes/blocks', name);
        await mkdir(join(file, '..'), { recursive: true });
        await writeFile(file, text);
      }
    else if (theme !== 'bare' && !existsSync(join(WORDPRESS_FOLDER, 'wp-content/themes', theme))) return;
    await site.php(`wp_mkdir_p(WPMU_PLUGIN_DIR); wp_clean_themes_cache(); switch_theme('${theme}'); flush_rewrite_rules();
      return file_put_contents(WPMU_PLUGIN_DIR . '/count.php', '<?php add_action("wp_footer", fn () => printf("<!-- %d queries -->", get_num_queries()), 999);');`);
    if (theme === THEMES[0]) await site.serve();
    const page = await site.php<string>(
      `return get_permalink((int) Passerelle\\WordPress\\Table::find('kyero/${gateway.client}', 'L1')['post_id']);`,
    );
    const counts: Record<string, number> = {};
    for (const address of [`${site.url}/annonces/`, `${site.url}/annonces/?prix_min=1000&tri=dear`, page]) {
      // The first visit fills the theme's own caches.
      await (await fetch(address)).arrayBuffer();
      const html = await (await fetch(address)).text();
      counts[address.replace(site.url, '')] = Number(/<!-- (\d+) queries -->/.exec(html)?.[1]);
    }
    if (SPEED_LISTINGS !== undefined) process.stderr.write(`${theme}: ${JSON.stringify(counts)}\n`);
    for (const count of Object.values(counts)) expect(count).toBeLessThanOrEqual(20);
  });
});
