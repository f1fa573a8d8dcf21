import {
  addGateway,
  type ApiUnderTest,
  publishListings,
  type SeededGateway,
  startApi,
} from '../../medium/api/api-under-test';
import { untilServed } from '../../support/until-served';
import { describeWordPress } from '../../wordpress/support/programs';
import { createSite, type Site } from '../../wordpress/support/site';

const LISTING = {
  affId: 'A1',
  affNum: 'REF 1',
  intitule: 'Maison de ville',
  commentaires: 'Belle maison.\nAu calme & au soleil.',
  textes: { en: { intitule: 'Town house', commentaires: 'Lovely house.' }, de: { intitule: 'Stadthaus' } },
  typeTransaction: 'vente',
  typeCode: 'maison',
  prix: 250_000,
  prixCurrency: 'EUR',
  surfaceHabitable: 92.5,
  nbreChambres: 3,
  ville: 'Évreux',
  codePostal: '27000',
  latitude: 49.02,
  longitude: 1.15,
  dpeClasse: 'D',
  honoraires: 4,
  honorairesUnite: 'pourcentage',
  honorairesCharge: 'acquereur',
  photos: [],
};
const RENTAL = {
  ...LISTING,
  affId: 'A2',
  typeTransaction: 'location',
  prix: undefined,
  loyer: 900,
  depotGarantie: 900,
};

/** Registers the post type and taxonomies that a theme or plugin would register. */
const PROPERTY = (taxonomies: string[]): string => `
  register_post_type('property', ['public' => true]);
  foreach (${JSON.stringify(taxonomies)} as $name) register_taxonomy($name, 'property');`;

// Real: WordPress, MariaDB, the plugin, the API. Fake: the parts of Houzez, Property Hive, RealHomes, WP Residence,
// Easy Property Listings, Polylang and WPML that the plugin uses.
describeWordPress('beside other plugins and themes', () => {
  let api: ApiUnderTest;
  let gateway: SeededGateway;
  let site: Site;

  beforeAll(async () => {
    [api, site] = await Promise.all([startApi(), createSite()]);
  });
  afterAll(async () => {
    await Promise.all([api.close(), site.close()]);
  });
  beforeEach(async () => {
    await site.empty();
    gateway = await addGateway(api.database, { listings: [LISTING, RENTAL] });
    await site.connect({ ...gateway, base: api.url }, { target: 'own' });
  });

  const slice = 'Passerelle\\WordPress\\Sync::slice(20, true);';

  it('the plugin fills the fields of Houzez', async () => {
    await site.connect({ ...gateway, base: api.url }, { target: 'houzez' });
    const [meta, terms] = await site.php<[Record<string, string[]>, string[]]>(`
      ${PROPERTY(['property_status', 'property_type', 'property_city'])}
      ${slice}
      $post = get_posts(['post_type' => 'property', 'title' => 'Maison de ville', 'meta_key' => 'fave_property_price', 'meta_value' => '250000'])[0];
      return [get_post_meta($post->ID), wp_get_object_terms($post->ID, ['property_status', 'property_type', 'property_city'], ['fields' => 'names'])];`);
    expect(meta).toMatchObject({
      ...{ fave_property_id: ['REF 1'], fave_property_price: ['250000'], fave_property_size: ['92.5'] },
      ...{ fave_property_bedrooms: ['3'], fave_property_zip: ['27000'], fave_property_location: ['49.02,1.15'] },
      ...{ fave_property_map_address: ['27000 Évreux'], fave_energy_class: ['D'] },
      additional_features: [expect.stringContaining('4\u00a0% incl. VAT paid by the buyer')],
    });
    expect(terms.sort()).toEqual(['For sale', 'House', 'Évreux']);
  });

  it('the plugin fills the fields of Property Hive', async () => {
    await site.connect({ ...gateway, base: api.url }, { target: 'propertyhive' });
    const [sale, rental] = await site.php<Record<string, string[]>[]>(`
      ${PROPERTY(['availability', 'property_type'])}
      ${slice}
      $posts = get_posts(['post_type' => 'property', 'meta_key' => '_price_actual', 'orderby' => 'meta_value_num', 'order' => 'DESC']);
      return array_map(fn($post) => get_post_meta($post->ID), $posts);`);
    expect(sale).toMatchObject({
      ...{ _department: ['residential-sales'], _price: ['250000'], _bedrooms: ['3'], _on_market: ['yes'] },
      ...{ _reference_number: ['REF 1'], _address_postcode: ['27000'], _currency: ['EUR'] },
    });
    expect(rental).toMatchObject({
      _department: ['residential-lettings'],
      _rent: ['900'],
      _rent_frequency: ['pcm'],
      _deposit: ['900'],
    });
    expect(rental).not.toHaveProperty('_price');
  });

  /** PHP that reads content and fields of each post of a type. */
  const metaOf = (type: string, title = 'Maison de ville'): string =>
    `array_map(fn($post) => ['content' => [$post->post_content]] + get_post_meta($post->ID), get_posts(['post_type' => '${type}', 'title' => '${title}', 'orderby' => 'ID', 'order' => 'ASC']))`;

  it.each(['houzez', 'propertyhive', 'realhomes', 'wpresidence', 'epl'])(
    'the plugin writes no active shortcode into the texts that %s shows',
    async (target) => {
      const marked = {
        intitule: 'Villa [probe]',
        commentaires: 'Au calme [probe]',
        adresse: '1 rue [probe]',
        ville: 'Lyon [probe]',
      };
      const video = 'https://videos.example.org/1?part[]=2';
      await publishListings(api.database, gateway.id, [{ ...LISTING, ...marked, quartier: '[probe]', video }]);
      await untilServed(api.testDatabase, gateway, [api.url]);
      await site.connect({ ...gateway, base: api.url }, { target });
      const taxonomies = [
        'property_status',
        'availability',
        'property-status',
        'property-city',
        'property_action_category',
        'tax_feature',
        'property_city',
        'location',
      ];
      const stored = await site.php<string>(`
        ${PROPERTY(taxonomies)}
        register_post_type('estate_property');
        ${slice}
        $ids = $GLOBALS['wpdb']->get_col("SELECT post_id FROM {$GLOBALS['wpdb']->prefix}passerelle WHERE post_id > 0 ORDER BY post_id");
        $meta = array_diff_key(get_post_meta($ids[count($ids) - 1]), [Passerelle\\WordPress\\Writer::META => 1]);
        return wp_json_encode([get_post($ids[count($ids) - 1]), $meta, wp_get_object_terms($ids, ${JSON.stringify(taxonomies).replaceAll('"', "'")}, ['fields' => 'names'])], JSON_UNESCAPED_SLASHES);`);
      expect(stored).toContain('&#091;probe&#093;');
      expect(stored.match(/.{60}(\[probe|part\[)/g)).toBeNull();
    },
  );

  it('the plugin fills the fields of RealHomes', async () => {
    await site.connect({ ...gateway, base: api.url }, { target: 'realhomes' });
    const [[sale, rental], terms, images] = await site.php<[Record<string, string[]>[], string[], string[]]>(`
      ${PROPERTY(['property-status', 'property-type', 'property-city'])}
      ${slice}
      $id = get_posts(['post_type' => 'property', 'meta_key' => 'REAL_HOMES_property_price', 'meta_value' => '250000'])[0]->ID;
      Passerelle\\WordPress\\Targets::get('realhomes')->photos($id, [7, 5]);
      return [${metaOf('property')}, wp_get_object_terms($id, ['property-status', 'property-type', 'property-city'], ['fields' => 'names']), get_post_meta($id, 'REAL_HOMES_property_images')];`);
    expect(sale).toMatchObject({
      ...{
        REAL_HOMES_property_id: ['REF 1'],
        REAL_HOMES_property_price: ['250000'],
        REAL_HOMES_property_size: ['92.5'],
      },
      ...{ REAL_HOMES_property_bedrooms: ['3'], REAL_HOMES_property_location: ['49.02,1.15,15'] },
      ...{ REAL_HOMES_property_map: ['0'], REAL_HOMES_energy_class: ['D'] },
      ...{ REAL_HOMES_property_address: ['27000 Évreux'] },
      REAL_HOMES_additional_details_list: [expect.stringContaining('4\u00a0% incl. VAT paid by the buyer')],
    });
    expect(rental).toMatchObject({
      REAL_HOMES_property_price: ['900'],
      REAL_HOMES_property_price_postfix: ['per month'],
    });
    expect([terms.sort(), images]).toEqual([
      ['For sale', 'House', 'Évreux'],
      ['7', '5'],
    ]);
  });

  it('the plugin fills the fields of WP Residence', async () => {
    await site.connect({ ...gateway, base: api.url }, { target: 'wpresidence' });
    const [[sale, rental], terms, gallery] = await site.php<[Record<string, string[]>[], string[], unknown]>(`
      register_post_type('estate_property', ['public' => true]);
      foreach (['property_category', 'property_action_category', 'property_city', 'property_area'] as $name) register_taxonomy($name, 'estate_property');
      ${slice}
      $id = get_posts(['post_type' => 'estate_property', 'meta_key' => 'property_price', 'meta_value' => '250000'])[0]->ID;
      Passerelle\\WordPress\\Targets::get('wpresidence')->photos($id, [7, 5]);
      return [${metaOf('estate_property')}, wp_get_object_terms($id, ['property_category', 'property_action_category', 'property_city'], ['fields' => 'names']),
        [get_post_meta($id, 'wpestate_property_gallery', true), get_post_meta($id, 'image_to_attach', true)]];`);
    expect(sale).toMatchObject({
      ...{ property_internal_id: ['REF 1'], property_price: ['250000'], property_size: ['92.5'] },
      ...{ property_bedrooms: ['3'], property_zip: ['27000'] },
      ...{ property_latitude: ['49.02'], property_longitude: ['1.15'], energy_class: ['D'] },
      content: [expect.stringContaining('4\u00a0% incl. VAT paid by the buyer')],
    });
    expect(sale).not.toHaveProperty('property_label');
    expect(rental).toMatchObject({ property_price: ['900'], property_label: ['per month'] });
    expect([terms.sort(), gallery]).toEqual([
      ['For sale', 'House', 'Évreux'],
      [['7', '5'], '7,5'],
    ]);
  });

  it('the plugin fills the post types of Easy Property Listings', async () => {
    const shop = { ...LISTING, affId: 'A3', intitule: 'Boutique', typeCode: 'boutique', prix: undefined, loyer: 1200 };
    const let_ = { ...shop, typeTransaction: 'location', loyerSource: { montant: 14_400, periode: 'an' } };
    await publishListings(api.database, gateway.id, [LISTING, RENTAL, let_]);
    await untilServed(api.testDatabase, gateway, [api.url]);
    await site.connect({ ...gateway, base: api.url }, { target: 'epl' });
    const [sale, rental, lease] = await site.php<Record<string, string[]>[][]>(`
      foreach (['property', 'rental', 'land', 'commercial', 'business'] as $type) register_post_type($type, ['public' => true]);
      register_taxonomy('location', ['property', 'rental']); register_taxonomy('tax_feature', ['property']);
      ${slice}
      return [${metaOf('property')}, ${metaOf('rental')}, ${metaOf('commercial', 'Boutique')}];`);
    expect(sale).toMatchObject([
      {
        ...{ property_unique_id: ['REF 1'], property_status: ['current'], property_category: ['House'] },
        ...{ property_price_global: ['250000'] },
        ...{ property_price: ['250000'], property_price_display: ['yes'], property_bedrooms: ['3'] },
        ...{ property_building_area: ['92.5'], property_building_area_unit: ['squareMeter'] },
        // The listing has no street, so only the town may be shown.
        ...{ property_address_display: ['no'], property_address_suburb: ['Évreux'] },
        ...{ property_address_coordinates: ['49.02,1.15'], property_energy_rating: ['D'] },
        content: [expect.stringContaining('4\u00a0% incl. VAT paid by the buyer')],
      },
    ]);
    expect(rental).toMatchObject([
      {
        property_rent: ['900'],
        property_rent_period: ['month'],
        property_rent_display: ['yes'],
        property_bond: ['900'],
        property_price_global: ['900'],
      },
    ]);
    expect(rental![0]).not.toHaveProperty('property_price');
    expect(lease).toMatchObject([
      {
        ...{ property_com_listing_type: ['lease'], property_com_rent: ['1200'], property_price_global: ['1200'] },
        property_price_view: ['€14,400 per year'],
      },
    ]);
  });

  it('the plugin moves the listings without duplicates when the owner chooses another target', async () => {
    await site.slice();
    expect(
      await site.php(`
        ${PROPERTY(['availability'])}
        Passerelle\\WordPress\\Settings::save(['target' => 'propertyhive'] + Passerelle\\WordPress\\Settings::all());
        $GLOBALS['wpdb']->query("UPDATE wp_passerelle SET empreinte = ''");
        Passerelle\\WordPress\\Settings::compareAnew('kyero/${gateway.client}');
        ${slice}
        return [wp_count_posts('property')->publish, wp_count_posts('passerelle_bien')->publish ?? 0];`),
    ).toEqual(['2', 0]);
  });

  const POLYLANG = `
    function pll_languages_list() { return ['fr', 'en']; }
    function pll_set_post_language($id, $language) { $GLOBALS['languages'][$id] = $language; }
    function pll_save_post_translations($posts) { $GLOBALS['translations'][] = $posts; }`;

  it('the plugin creates a page per language of Polylang for which the listing has a text', async () => {
    const run = (): Promise<unknown> =>
      site.php(`${POLYLANG}
        $GLOBALS['wpdb']->query("UPDATE wp_passerelle SET empreinte = ''"); Passerelle\\WordPress\\Settings::compareAnew('kyero/${gateway.client}');
        ${slice}
        $posts = get_posts(['post_type' => 'passerelle_bien', 'numberposts' => -1, 'orderby' => 'ID', 'order' => 'ASC']);
        return [array_map(fn($post) => [$post->post_title, $GLOBALS['languages'][$post->ID], $post->post_parent > 0], $posts), count($GLOBALS['translations'])];`);
    const pages = [
      ['Maison de ville', 'fr', false],
      ['Town house', 'en', true],
      ['Maison de ville', 'fr', false],
      ['Town house', 'en', true],
    ];
    expect(await run()).toEqual([pages, 2]);
    // A second run duplicates nothing.
    expect(await run()).toEqual([pages, 2]);

    await publishListings(api.database, gateway.id, [{ ...LISTING, textes: {} }]);
    await untilServed(api.testDatabase, gateway, [api.url]);
    expect(await run()).toEqual([[pages[0]], 1]);
  });

  it('the plugin tells WPML which pages are translations of each other', async () => {
    expect(
      await site.php(`
        add_filter('wpml_active_languages', fn() => ['fr' => [], 'en' => []]);
        add_filter('wpml_element_type', fn($type) => "post_$type");
        add_filter('wpml_element_trid', fn($group, $id) => 7, 10, 2);
        add_action('wpml_set_element_language_details', function ($details) { $GLOBALS['told'][] = array_diff_key($details, ['element_id' => 1]); });
        ${slice} return array_slice($GLOBALS['told'], 0, 2);`),
    ).toEqual([
      { element_type: 'post_passerelle_bien', trid: 7, language_code: 'fr', source_language_code: null },
      { element_type: 'post_passerelle_bien', trid: 7, language_code: 'en', source_language_code: 'fr' },
    ]);
  });

  it('the plugin runs in the cron of WordPress, and again immediately while it has more work', async () => {
    expect(
      await site.php(`
        $planned = wp_next_scheduled('passerelle_slice') !== false;
        do_action('passerelle_slice');
        Passerelle\\WordPress\\Schedule::goOnAfter(['a' => ['state' => 'more'], 'b' => ['state' => 'done']]);
        return [$planned, wp_count_posts('passerelle_bien')->publish, wp_next_scheduled('passerelle_slice_more') !== false];`),
    ).toEqual([true, '2', true]);
  });

  it('the plugin finishes all work in WP-CLI, slice by slice', async () => {
    expect(
      await site.php(`
        class WP_CLI {
          static $lines = [];
          static function log($line) { self::$lines[] = $line; }
          static function success($line) { self::$lines[] = $line; }
          static function error($line) { self::$lines[] = $line; throw new Exception('stopped'); }
        }
        require WP_PLUGIN_DIR . '/passerelle/src/Cli.php';
        (new Passerelle\\WordPress\\Cli())->sync([], []);
        try { (new Passerelle\\WordPress\\Cli())->sync([], ['gateway' => 'kyero/other']); } catch (Exception $stopped) { WP_CLI::$lines[] = $stopped->getMessage(); }
        return WP_CLI::$lines;`),
    ).toEqual([
      `kyero/${gateway.client}: Up to date. 2 new.`,
      'Everything is up to date.',
      'There is no such gateway.',
      'stopped',
    ]);
  });

  it('the plugin runs each gateway in turn, also when one gateway has many changes', async () => {
    const other = await addGateway(api.database, { listings: [LISTING] });
    const gateways = await site.php<string[]>(`
      $all = Passerelle\\WordPress\\Settings::all();
      $name = 'kyero/${other.client}';
      $all['gateways'][$name] = ['base' => '${api.url}', 'crm' => 'kyero', 'client' => '${other.client}', 'langue' => '', 'key' => Passerelle\\WordPress\\Settings::seal('${other.key}')];
      Passerelle\\WordPress\\Settings::save($all);
      Passerelle\\WordPress\\Sync::slice(20, true, 'kyero/${gateway.client}');
      Passerelle\\WordPress\\Sync::slice(20, true);
      $order = get_option('passerelle_turns')['lists']; asort($order);
      unset($all['gateways'][$name]); Passerelle\\WordPress\\Settings::save($all);
      return array_keys($order);`);
    expect(gateways).toEqual([`kyero/${other.client}`, `kyero/${gateway.client}`]);
  });

  it('the plugin still writes the remaining listings when another plugin fails on one listing listing', async () => {
    const slices = await site.php<object>(`
      add_action('save_post', function ($id, $post) { if (strpos($post->post_name, '2') !== false) throw new TypeError('a bug of theirs'); }, 10, 2);
      ${'return ' + slice}`);
    expect(Object.values(slices)).toMatchObject([{ failed: expect.anything() }]);
    expect(await site.slice()).toMatchObject({ state: 'done', failed: [] });
    expect(await site.php(`return wp_count_posts('passerelle_bien')->publish;`)).toBe('2');
  });

  it("the plugin's list appears between header and footer of a block theme", async () => {
    await site.slice();
    const html = await site
      .php<string>(
        `
      $folder = get_theme_root() . '/blocks';
      foreach (['', '/templates', '/parts'] as $part) wp_mkdir_p($folder . $part);
      file_put_contents("$folder/style.css", "/*\nTheme Name: Blocks\n*/");
      file_put_contents("$folder/templates/index.html", '<!-- wp:post-content /-->');
      file_put_contents("$folder/parts/header.html", '<!-- wp:site-title /-->');
      file_put_contents("$folder/parts/footer.html", '<!-- wp:paragraph --><p>The footer of blocks</p><!-- /wp:paragraph -->');
      wp_clean_themes_cache(); switch_theme('blocks');
      return 'done';`,
      )
      .then(() =>
        site.php<string>(`
        global $wp_query; $GLOBALS['wp']->query_vars = [];
        query_posts(['post_type' => 'passerelle_bien']); $wp_query->is_post_type_archive = true; $wp_query->is_archive = true;
        ob_start(); include apply_filters('template_include', ''); $html = ob_get_clean();
        switch_theme('bare');
        return $html;`),
      );
    expect(html).toMatch(/Agence de test[\s\S]*psr-card[\s\S]*The footer of blocks/);
    expect(html).toContain(`id='passerelle-inline-css'`);
  });

  it('the plugin stores no key that a copy of the database would reveal', async () => {
    const stored = await site.php(`return $GLOBALS['wpdb']->get_col('SELECT option_value FROM wp_options');`);
    expect(JSON.stringify(stored)).not.toContain(gateway.key);
    expect(JSON.stringify(stored)).toContain(gateway.client);
  });
});
