import { addGateway, type ApiUnderTest, startApi } from '../medium/api/api-under-test';
import { describeWordPress } from './support/programs';
import { createSite, type Site } from './support/site';

const HIDDEN = {
  ...{ affId: 'HIDDEN', intitule: 'Maison cachée', typeTransaction: 'vente', typeCode: 'maison', prix: 300_000 },
  ...{ pays: 'FR', ville: 'Paris', latitude: 48.856613999999997, longitude: 2.352221900000001, photos: [] },
  ...{ negoEmail: 'nego@agence.example', textes: { en: { intitule: 'Hidden house' } } },
};
const SHOWN = {
  ...HIDDEN,
  affId: 'SHOWN',
  intitule: 'Maison montrée',
  adresse: '1 rue du Parc',
  latitude: 48.123456,
  longitude: 3.456789,
};
/** Matches the hidden position with more than two decimals. */
const EXACT = /48\.8[56]\d|2\.35\d/;

/** All data about the hidden listing in the database. */
const STORED = `global $wpdb;
  $of = (int) Passerelle\\WordPress\\Table::rows("SELECT post_id FROM {$wpdb->prefix}passerelle WHERE aff_id = 'HIDDEN'")[0]['post_id'];
  $row = $wpdb->get_row("SELECT lat + 0e0 AS lat, lon + 0e0 AS lon, is_exact FROM {$wpdb->prefix}passerelle WHERE aff_id = 'HIDDEN'", ARRAY_A);
  return ['meta' => $wpdb->get_results("SELECT meta_key, meta_value FROM $wpdb->postmeta WHERE post_id = $of", ARRAY_A),
    'post' => $wpdb->get_results("SELECT * FROM $wpdb->posts WHERE ID = $of", ARRAY_A), 'row' => $row];`;

/** Functions and types that other themes and plugins register, so that our plugin recognizes them. */
const OTHERS: [string, string][] = [
  ['houzez', `register_post_type('property'); register_taxonomy('property_status', 'property');`],
  ['propertyhive', `register_post_type('property'); register_taxonomy('availability', 'property');`],
  ['realhomes', `register_post_type('property'); register_taxonomy('property-status', 'property');`],
  [
    'wpresidence',
    `register_post_type('estate_property'); register_taxonomy('property_action_category', 'estate_property');`,
  ],
  ['epl', `register_post_type('property'); register_taxonomy('tax_feature', 'property');`],
];

// Real: WordPress behind PHP's own web server, MariaDB, the plugin, the API. Fake: the ingestor, and the
// registrations of themes.
describeWordPress('listing without a street has a position of two decimals', () => {
  let api: ApiUnderTest;
  let site: Site;
  let connect: (settings: object) => Promise<void>;

  beforeAll(async () => {
    [api, site] = await Promise.all([startApi(), createSite()]);
    const gateway = await addGateway(api.database, { listings: [HIDDEN, SHOWN] });
    connect = (settings) => site.connect({ ...gateway, base: api.url }, { photos: 'link', ...settings });
    await connect({ tiles: 'https://tiles.example/{z}/{x}/{y}.png' });
    await site.slice();
    await site.php('flush_rewrite_rules(); return true;');
    await site.serve();
  });
  afterAll(async () => {
    await Promise.all([api.close(), site.close()]);
  });

  const get = async (address: string): Promise<string> => (await fetch(address)).text();

  it('on its page, in lists, on the map, in API answers, in blocks and in the database', async () => {
    const { id, page } = await site.php<{ id: number; page: string }>(`
      $id = (int) Passerelle\\WordPress\\Table::rows("SELECT post_id FROM wp_passerelle WHERE aff_id = 'HIDDEN'")[0]['post_id'];
      return ['id' => $id, 'page' => get_permalink($id)];`);
    const routes = [
      'passerelle/v1/pins',
      `passerelle/v1/card&id=${id}`,
      `wp/v2/annonces/${id}`,
      'wp/v2/search&search=Maison',
    ];
    const addresses = [page, `${site.url}/annonces/`, ...routes.map((route) => `${site.url}/?rest_route=/${route}`)];
    for (const address of addresses) expect(await get(address)).not.toMatch(EXACT);
    expect(await get(page)).toContain('"latitude":48.86,"longitude":2.35');
    expect(JSON.parse(await get(`${site.url}/?rest_route=/passerelle/v1/pins`))).toEqual([
      [id, 48.86, 2.35, 0],
      [expect.any(Number), 48.123456, 3.456789, 1],
    ]);
    const blocks = ['list', 'map', 'search', 'agent', 'alert', 'listing id="HIDDEN" part="map"', 'listing id="HIDDEN"'];
    expect(
      await site.php(
        `return implode(' ', array_map('do_shortcode', ${JSON.stringify(blocks.map((b) => `[passerelle_${b}]`))}));`,
      ),
    ).not.toMatch(EXACT);
    expect(JSON.stringify(await site.php(STORED))).not.toMatch(EXACT);
  });

  it('when PHP writes 17 digits of each number', async () => {
    const pins = await site.php(`ini_set('serialize_precision', '17');
      return wp_json_encode(Passerelle\\WordPress\\Map::pins(new WP_REST_Request('GET'))->get_data()[0]);`);
    expect(pins).toMatch(/^\[\d+,48\.86,2\.35,0\]$/);
  });

  it.each(OTHERS)('the plugin stores the position in the fields of %s', async (target, registered) => {
    await connect({ target });
    await site.php(`${registered}
      $GLOBALS['wpdb']->query("UPDATE wp_passerelle SET empreinte = ''");
      return Passerelle\\WordPress\\Sync::slice(20, true);`);
    const stored = JSON.stringify(await site.php(STORED));
    expect(stored).toContain('48.86');
    expect(stored).not.toMatch(EXACT);
  });

  it('from the first request of this release, even if an earlier release stored more decimals', async () => {
    await site.php(`global $wpdb;
      $of = (int) $wpdb->get_var("SELECT post_id FROM wp_passerelle WHERE aff_id = 'HIDDEN'");
      update_post_meta($of, '_passerelle', ['latitude' => 48.856613999999997, 'longitude' => 2.352221900000001] + get_post_meta($of, '_passerelle', true));
      foreach (['fave_property_location' => '48.856614,2.3522219', '_latitude' => 48.856614, 'REAL_HOMES_property_location' => '48.856614,2.3522219,15',
        'property_longitude' => '2.3522219'] as $name => $value) update_post_meta($of, $name, $value);
      $wpdb->query("UPDATE wp_passerelle SET lat = 48.856614, lon = 2.352222 WHERE aff_id = 'HIDDEN'");
      update_option('passerelle_schema', '5'); return 1;`);
    expect(JSON.stringify(await site.php(STORED))).not.toMatch(EXACT);
    expect(await site.php(STORED)).toMatchObject({
      row: { lat: '48.86', lon: '2.35', is_exact: '0' },
      meta: expect.arrayContaining([
        { meta_key: 'fave_property_location', meta_value: '48.86,2.35' },
        { meta_key: 'REAL_HOMES_property_location', meta_value: '48.86,2.35,15' },
      ]),
    });
  });
});
