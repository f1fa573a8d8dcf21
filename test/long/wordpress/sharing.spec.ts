import { createSimulator, type Simulator } from '../../../tools/simulator/simulator';
import { addGateway, type ApiUnderTest, type SeededGateway, startApi } from '../../medium/api/api-under-test';
import { frenchListings } from '../../wordpress/support/listings';
import { describeWordPress } from '../../wordpress/support/programs';
import { createSite, type Site } from '../../wordpress/support/site';

// Real: WordPress behind PHP's own web server, MariaDB, the plugin, the API. Fake: the ingestor, and Yoast, reduced to
// the constant with its version.
describeWordPress('the metadata of a page for search engines and social networks', () => {
  let api: ApiUnderTest;
  let simulator: Simulator;
  let gateway: SeededGateway;
  let site: Site;

  beforeAll(async () => {
    [api, simulator, site] = await Promise.all([
      startApi(),
      createSimulator({ counts: { kyero: 30 } }),
      createSite({ locale: 'fr_FR' }),
    ]);
    const listings = frenchListings(simulator).map((listing, place) =>
      place === 0
        ? { ...listing, commentaires: `Belle vue "sur" la mer & <b>soleil</b>. ${'Calme. '.repeat(60)}` }
        : listing,
    );
    gateway = await addGateway(api.database, { crm: 'kyero', listings });
    await site.connect({ ...gateway, base: api.url }, { photos: 'link' });
    await site.slice();
    await site.php(`update_option('blog_public', '1'); flush_rewrite_rules(); return true;`);
    await site.serve();
  });
  afterAll(async () => {
    await simulator.close();
    await Promise.all([api.close(), site.close()]);
  });

  const get = async (path: string): Promise<string> => (await fetch(site.url + path)).text();
  const meta = (html: string, name: string): string[] =>
    [...html.matchAll(new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)">`, 'g'))].map(
      ([, value = '']) => value,
    );
  const canonicals = (html: string): string[] =>
    [...html.matchAll(/<link rel="canonical" href="([^"]*)"/g)].map(([, value = '']) => value);
  const robots = (html: string): string => /<meta name='robots' content='([^']*)'/.exec(html)?.[1] ?? '';
  const listing = (): Promise<string> =>
    site.php<string>(
      `return str_replace(home_url(), '', get_permalink((int) Passerelle\\WordPress\\Table::find('kyero/${gateway.client}', '1001')['post_id']));`,
    );

  it('of a listing contains a description, Open Graph tags with a photo, and one canonical address', async () => {
    const path = await listing();
    const html = await get(path);
    const [description = ''] = meta(html, 'description');
    expect(description).toMatch(/Belle vue &quot;sur&quot; la mer &amp;/);
    expect(Array.from(description.replace(/&\w+;/g, 'x')).length).toBeLessThanOrEqual(160);
    expect(meta(html, 'og:description')).toEqual([description]);
    for (const name of ['og:title', 'og:url', 'og:image', 'og:locale', 'og:site_name', 'twitter:card'])
      expect({ name, values: meta(html, name) }).toEqual({ name, values: [expect.stringMatching(/./)] });
    expect(meta(html, 'og:url')).toEqual([site.url + path]);
    expect(canonicals(html)).toEqual([site.url + path]);
    expect(robots(html)).not.toContain('noindex');
    const [image = ''] = meta(html, 'og:image');
    expect((await fetch(image.replaceAll('&amp;', '&').replaceAll('&#038;', '&'))).headers.get('content-type')).toMatch(
      /^image\//,
    );
  });

  it('of the list contains one canonical address per page, and excludes filtered lists from search engines', async () => {
    expect(canonicals(await get('/annonces/'))).toEqual([`${site.url}/annonces/`]);
    expect(canonicals(await get('/annonces/page/2/'))).toEqual([`${site.url}/annonces/page/2/`]);
    expect(robots(await get('/annonces/'))).not.toContain('noindex');
    for (const query of ['bien=maison', 'tri=cheap', 'prix_max=300000', 'ville=Nulle+part']) {
      const html = await get(`/annonces/?${query}`);
      expect({ query, robots: robots(html) }).toEqual({ query, robots: expect.stringMatching(/noindex.*follow/) });
      expect(canonicals(html)).toEqual([`${site.url}/annonces/`]);
    }
  });

  it('includes a sitemap of the photos, which robots.txt names', async () => {
    const [, address = ''] = /^Sitemap: (\S+passerelle-images\S*)$/m.exec(await get('/robots.txt')) ?? [];
    const xml = await (await fetch(address)).text();
    expect(xml.match(/<url><loc>/g)).toHaveLength(30);
    expect(xml).toContain(`<loc>${site.url}${await listing()}</loc><image:image><image:loc>http`);
    await site.php(`update_option('blog_public', '0'); return 1;`);
    expect(await get('/robots.txt')).not.toContain('passerelle-images');
    expect(await (await fetch(address)).text()).not.toContain('<urlset');
    await site.php(`update_option('blog_public', '1'); return 1;`);
  });

  it('repeats nothing that another plugin writes, and provides the description that the other plugin lacks', async () => {
    await site.php(
      `@mkdir(WPMU_PLUGIN_DIR); file_put_contents(WPMU_PLUGIN_DIR . '/yoast.php', "<?php define('WPSEO_VERSION', '24.0');"); return 1;`,
    );
    try {
      const html = await get(await listing());
      expect([meta(html, 'description'), meta(html, 'og:title')]).toEqual([[], []]);
      expect(canonicals(html)).toHaveLength(1);
      const told = await site.php<string>(
        `$GLOBALS['wp_query'] = new WP_Query(['post_type' => 'passerelle_bien', 'p' => (int) Passerelle\\WordPress\\Table::find('kyero/${gateway.client}', '1001')['post_id']]);
         $GLOBALS['wp_the_query'] = $GLOBALS['wp_query'];
         return [apply_filters('wpseo_metadesc', ''), apply_filters('wpseo_metadesc', 'typed by hand'), apply_filters('rank_math/frontend/description', '')];`,
      );
      expect(told).toEqual([
        expect.stringContaining('Belle vue'),
        'typed by hand',
        expect.stringContaining('Belle vue'),
      ]);
    } finally {
      await site.php(`unlink(WPMU_PLUGIN_DIR . '/yoast.php'); return 1;`);
    }
  });
});
