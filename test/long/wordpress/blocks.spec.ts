import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import {
  addGateway,
  type ApiUnderTest,
  type SeededGateway,
  startApi,
  type TestListing,
} from '../../medium/api/api-under-test';
import { Browser, BROWSER } from '../../support/browser';
import { describeWordPress } from '../../wordpress/support/programs';
import { createSite, type Site } from '../../wordpress/support/site';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const FLAT = { typeTransaction: 'vente', typeCode: 'appartement', pays: 'FR', ville: 'Lyon', photos: [] };
const LIST: TestListing[] = [
  ...Array.from({ length: 40 }, (_, n) => ({
    ...{
      ...FLAT,
      affId: `A-${n}`,
      intitule: `Appartement ${n}`,
      prix: 100_000 + n * 1_000,
      adresse: `${n} rue du Parc`,
    },
    ...{ latitude: 45.7512 + n / 1_000, longitude: 4.8512 },
  })),
  {
    ...FLAT,
    affId: 'HIDDEN',
    intitule: 'Maison cachée',
    typeCode: 'maison',
    prix: 900_000,
    latitude: 45.05,
    longitude: 5.05,
  },
  {
    ...FLAT,
    affId: 'NOWHERE',
    intitule: 'Loft',
    typeCode: 'loft',
    prix: 500_000,
    negoNom: 'Anne Durand',
    negoTel: '+33 4 72 00 00 00',
  },
  {
    ...FLAT,
    affId: 'MARKED',
    intitule: 'Hangar [probe]',
    commentaires: 'Au calme [probe]\n\n[probe size="large"]\n\n[[probe]] &#91;probe&#93;',
    ville: '[probe]',
    typeCode: 'immeuble',
    prix: 300_000,
  },
];

/** A shortcode of another plugin, and Elementor's treatment of shortcodes in the widgets of a page. */
const OTHERS = `<?php
  add_shortcode('probe', fn () => 'EXECUTED');
  add_filter('the_content', function ($content) {
    $elements = json_decode((string) get_post_meta(get_the_ID(), '_elementor_data', true), true);
    if (!is_array($elements)) return $content;
    foreach (['wpautop', 'shortcode_unautop', 'wptexturize'] as $filter) remove_filter('the_content', $filter);
    $show = function (array $elements) use (&$show): string {
      $html = '';
      foreach ($elements as $element) {
        $shown = ($element['widgetType'] ?? '') === 'shortcode'
          ? '<div class="elementor-shortcode">' . do_shortcode(shortcode_unautop($element['settings']['shortcode'])) . '</div>'
          : $show($element['elements'] ?? []);
        $html .= '<div class="elementor-element">' . $shown . '</div>';
      }
      return $html;
    };
    return '<div class="elementor">' . $show($elements) . '</div>';
  }, 9);`;

const base64 = (text: string): string => Buffer.from(text).toString('base64');

// Real: WordPress behind PHP's own web server, MariaDB, the plugin, Leaflet in a browser, the API. Fake: the ingestor and the tiles.
describeWordPress('blocks, shortcodes and the map', () => {
  const inBrowser = BROWSER === null ? it.skip : it;
  const tiles: string[] = [];
  const tileServer = createServer((request, response) => {
    tiles.push(request.url ?? '');
    response.writeHead(200, { 'content-type': 'image/png' }).end(PIXEL);
  });
  let api: ApiUnderTest;
  let gateway: SeededGateway;
  let site: Site;
  let browser: Browser | null = null;

  beforeAll(async () => {
    await new Promise<void>((resolve) => tileServer.listen(0, '127.0.0.1', resolve));
    [api, site] = await Promise.all([startApi(), createSite({ locale: 'fr_FR' })]);
    gateway = await addGateway(api.database, { listings: LIST });
    const { port } = tileServer.address() as AddressInfo;
    await site.connect(
      { ...gateway, base: api.url },
      { photos: 'link', tiles: `http://127.0.0.1:${port}/{z}/{x}/{y}.png` },
    );
    expect(await site.slice()).toMatchObject({ state: 'done', added: 43 });
    await site.php(
      `@mkdir(WPMU_PLUGIN_DIR); return file_put_contents(WPMU_PLUGIN_DIR . '/others.php', base64_decode('${base64(OTHERS)}'));`,
    );
    await site.php('flush_rewrite_rules(); return true;');
    await site.serve();
    if (BROWSER !== null) browser = await Browser.launch();
  });
  beforeEach(() => {
    tiles.length = 0;
  });
  afterAll(async () => {
    await browser?.close();
    tileServer.close();
    await Promise.all([api.close(), site.close()]);
  });

  /** Creates a page of the owner with the given content. @returns its address */
  const pageWith = (content: string): Promise<string> =>
    site.php<string>(
      `return get_permalink(wp_insert_post(['post_type' => 'page', 'post_status' => 'publish', 'post_title' => uniqid(), 'post_content' => base64_decode('${base64(content)}')]));`,
    );
  /**
   * Creates a page as Elementor does: widgets in a container, and their shortcodes again as the text of the page.
   * @returns its address
   */
  const elementorPage = (shortcodes: string[]): Promise<string> => {
    const widgets = shortcodes.map((shortcode) => ({
      elType: 'widget',
      widgetType: 'shortcode',
      settings: { shortcode },
    }));
    const data = JSON.stringify([{ elType: 'container', settings: [], elements: widgets }]);
    return site.php<string>(`
      $post = wp_insert_post(['post_type' => 'page', 'post_status' => 'publish', 'post_title' => uniqid(), 'post_content' => base64_decode('${base64(shortcodes.join('\n'))}')]);
      update_post_meta($post, '_elementor_edit_mode', 'builder');
      update_post_meta($post, '_elementor_data', wp_slash(base64_decode('${base64(data)}')));
      return get_permalink($post);`);
  };
  const shown = async (content: string, query = ''): Promise<string> =>
    (await fetch((await pageWith(content)) + query)).text();
  const titles = (html: string): string[] =>
    [...html.matchAll(/class="psr-title">([^<]*)</g)].map(([, title = '']) => title);
  const pins = async (query = ''): Promise<number[][]> =>
    (await (await fetch(`${site.url}/wp-json/passerelle/v1/pins?${query}`)).json()) as number[][];

  it('a list appears on any page, by its block and by its shortcode, with its attributes', async () => {
    for (const list of [
      '[passerelle_list bien="appartement" tri="dear" nombre="2"]',
      '<!-- wp:passerelle/list {"bien":"appartement","tri":"dear","nombre":"2"} /-->',
    ]) {
      const html = await shown(list);
      expect(titles(html)).toEqual(['Appartement 39', 'Appartement 38']);
      expect(html).toMatch(/id='passerelle-inline-css'[\s\S]*<\/head>[\s\S]*class="psr psr-part"/);
    }
    expect(await shown('[passerelle_list ville="Nulle part"]')).toContain('Aucune annonce');
    expect(titles(await shown('[passerelle_list bien="Appartement" tri="dear" nombre="1"]'))).toEqual([
      'Appartement 39',
    ]);
  });

  it.each(['bien="villa"', 'offre="sale"', 'prix_min="cher"', 'tri="prix"'])(
    'an unknown word shows nothing, and an editor of the page sees the reason: %s',
    async (attribute) => {
      for (const part of ['list', 'map', 'alert']) {
        const shortcode = `[passerelle_${part} ville="" ${attribute}]`;
        expect((await shown(shortcode)).includes('class="psr psr-part"')).toBe(false);
        const read = await site.php<string>(
          `wp_set_current_user(1); return do_shortcode(base64_decode('${base64(shortcode)}'));`,
        );
        const named = attribute.replaceAll('"', '&quot;');
        expect(read).toBe(
          `<div class="psr psr-part"><p class="psr-note">Rien n’est affiché, car ce mot est inconnu : ${named}</p></div>`,
        );
      }
    },
  );

  it('every part appears once on a page that Elementor builds, styled in the head', async () => {
    const results = await elementorPage([
      '[passerelle_list bien="appartement" tri="dear" nombre="2"]',
      '[passerelle_map]',
    ]);
    const html = await (await fetch(results)).text();
    expect(titles(html)).toEqual(['Appartement 39', 'Appartement 38']);
    expect(html).toMatch(/id='passerelle-inline-css'[\s\S]*<\/head>[\s\S]*class="psr psr-part"/);
    expect(html.match(/class="psr-map"/g)?.length).toBe(1);
    const others = await elementorPage([
      `[passerelle_search page="${results}"]`,
      '[passerelle_listing id="NOWHERE" part="enquiry"]',
      '[passerelle_agent id="NOWHERE"]',
      '[passerelle_alert]',
      '[passerelle_favourites]',
    ]);
    const parts = await (await fetch(others)).text();
    expect(parts).toContain(`action="${results}"`);
    expect(parts.match(/name="psr_message"/g)?.length).toBe(1);
    expect(parts).toContain('href="tel:+33472000000"');
    expect(parts).not.toContain('[passerelle_');
  });

  inBrowser('the map loads on an Elementor page when a visitor clicks its button', async () => {
    const page = await browser!.open(await elementorPage(['[passerelle_map]']), { width: 390, height: 844 });
    const count = await page.evaluate(`(async () => {
      document.querySelector('.psr-map button').click();
      for (let n = 0; n < 4000 && document.querySelector('.marker-cluster') === null; n += 1) await new Promise((done) => setTimeout(done, 25));
      const clusters = [...document.querySelectorAll('.marker-cluster span')].reduce((sum, { innerText }) => sum + Number(innerText), 0);
      return clusters + document.querySelectorAll('.psr-pin').length;
    })()`);
    expect(count).toBe(41);
    expect(page.errors).toEqual([]);
  });

  it('a text of a listing that looks like a shortcode stays text, on every kind of page', async () => {
    const parts = ['', ' part="description"', ' part="facts"', ' part="energy"', ' part="share"'];
    const shortcodes = parts.map((part) => `[passerelle_listing id="MARKED"${part}]`);
    const address = `${site.url}/annonces/hangar-probe-marked/`;
    const pages = [
      await shown(shortcodes.join('\n')),
      await shown(
        '<!-- wp:passerelle/listing {"id":"MARKED"} /--><!-- wp:passerelle/listing {"id":"MARKED","part":"description"} /-->',
      ),
      await shown('<!-- wp:passerelle/list {"prix_min":"300000","prix_max":"300000"} /-->'),
      await (
        await fetch(
          await elementorPage([
            ...shortcodes,
            '[passerelle_list prix_min="300000" prix_max="300000"]',
            '[passerelle_search]',
          ]),
        )
      ).text(),
      await (await fetch(address)).text(),
      await site.php<string>(
        `return apply_filters('the_content', get_page_by_path('hangar-probe-marked', OBJECT, Passerelle\\WordPress\\PostType::NAME)->post_content);`,
      ),
    ];
    for (const html of pages) {
      expect(html).not.toContain('EXECUTED');
      expect(html).toMatch(/(&#0?91;|\[)probe/);
    }
  });

  it('a listing that a previous release stored is stored again with escaped shortcodes', async () => {
    await site.php(`
      $GLOBALS['wpdb']->query("UPDATE {$GLOBALS['wpdb']->posts} SET post_content = 'Au calme [probe]' WHERE post_name = 'hangar-probe-marked'");
      return update_option('passerelle_schema', '4', true);`);
    await site.slice();
    const stored = `SELECT post_content FROM {$GLOBALS['wpdb']->posts} WHERE post_name = 'hangar-probe-marked'`;
    expect(await site.php<string>(`return $GLOBALS['wpdb']->get_var("${stored}");`)).toContain('&#091;probe&#093;');
  });

  it('a search leads to the page that the owner chose, whose list shows the results', async () => {
    const results = await pageWith('[passerelle_list nombre="40"]');
    const html = await shown(`[passerelle_search page="${results}"]`);
    expect(html).toContain(`action="${results}"`);
    expect(titles(await (await fetch(`${results}?bien=maison`)).text())).toEqual(['Maison cachée']);
    expect(await shown('<!-- wp:passerelle/search /-->')).toContain(`action="${site.url}/annonces/"`);
  });

  it('a page can show parts of a listing and its agent', async () => {
    expect(await shown('[passerelle_listing id="NOWHERE" part="price"]')).toMatch(/500.000.€/u);
    expect(titles(await shown('[passerelle_listing id="NOWHERE"]'))).toEqual(['Loft']);
    expect(await shown('[passerelle_listing id="NOWHERE" part="enquiry"]')).toContain('name="psr_consent"');
    const agent = await shown('[passerelle_agent id="NOWHERE"]');
    expect(agent).toMatch(/Anne Durand[\s\S]*href="tel:\+33472000000"/);
    expect(await shown('[passerelle_listing id="UNKNOWN" part="price"]')).not.toContain('class="psr psr-part');
  });

  it('pins show the positions of listings and which positions are approximate, and filters apply to pins', async () => {
    const all = await pins();
    expect(all).toHaveLength(41);
    expect(all.filter(([, , , isExact]) => isExact === 0)).toEqual([[expect.any(Number), 45.05, 5.05, 0]]);
    expect(await pins('bien=maison')).toHaveLength(1);
    expect(await pins("bien=maison'--&prix_min[]=3")).toHaveLength(41);
    expect(await pins('prix_max=109999')).toHaveLength(10);
  });

  inBrowser('the map loads nothing until a visitor clicks its button, then shows listings in clusters', async () => {
    const page = await browser!.open(`${site.url}/annonces/`, { width: 390, height: 844 });
    const loaded = () =>
      page.evaluate(
        `performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => /leaflet|pins|:\\d+\\/\\d+\\//.test(name))`,
      );
    expect(await loaded()).toEqual([]);
    expect(tiles).toEqual([]);
    const seen = await page.evaluate(`(async () => {
      document.querySelector('.psr-map button').click();
      for (let n = 0; n < 4000 && document.querySelector('.marker-cluster') === null; n += 1) await new Promise((done) => setTimeout(done, 25));
      const clusters = [...document.querySelectorAll('.marker-cluster span')].reduce((sum, { innerText }) => sum + Number(innerText), 0);
      const alone = document.querySelectorAll('.psr-pin').length;
      const about = document.querySelector('.psr-about');
      about.click();
      for (let n = 0; n < 4000 && document.querySelector('.psr-on-map .psr-title') === null; n += 1) await new Promise((done) => setTimeout(done, 25));
      return {
        count: clusters + alone, title: document.querySelector('.psr-on-map .psr-title').innerText,
        area: document.querySelectorAll('.psr-canvas path.leaflet-interactive').length,
        elsewhere: performance.getEntriesByType('resource').map(({ name }) => new URL(name).origin).filter((origin) => origin !== location.origin).length > 0,
        wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      };
    })()`);
    expect(seen).toEqual({ count: 41, title: 'Maison cachée', area: 1, elsewhere: true, wide: 0 });
    expect(tiles.length).toBeGreaterThan(0);
    expect(page.errors).toEqual([]);
  });

  it('the map is absent when no tiles are set, and the list still appears', async () => {
    await site.connect({ ...gateway, base: api.url }, { tiles: '' });
    const html = await (await fetch(`${site.url}/annonces/`)).text();
    expect(html).not.toMatch(/<[^<>]*psr-map/);
    expect(titles(html)).toHaveLength(24);
  });
});

it.each([
  ['leaflet/dist/leaflet.js', 'leaflet.js'],
  ['leaflet/dist/leaflet.css', 'leaflet.css'],
  ['leaflet/LICENSE', 'LICENSE.txt'],
  ['leaflet.markercluster/dist/leaflet.markercluster.js', 'leaflet.markercluster.js'],
  ['leaflet.markercluster/MIT-LICENCE.txt', 'LICENSE-markercluster.txt'],
])('the plugin contains %s unchanged from npm', (from, name) => {
  const hash = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');
  const root = join(__dirname, '../../..');
  expect(hash(join(root, 'clients/wordpress/passerelle/assets/leaflet', name))).toBe(
    hash(join(root, 'node_modules', from)),
  );
});
