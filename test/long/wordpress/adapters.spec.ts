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

const PLAN = { titre: 'Ground floor', url: 'https://files.example/plan-0.png' };
const BROCHURE = { titre: 'Brochure', url: 'https://files.example/brochure.pdf' };
const TOUR = 'https://tours.example/1?a=1&b=2';
const LISTING = {
  ...{ affId: 'A1', affNum: 'REF 1', intitule: 'Town house', commentaires: 'Calm.', typeTransaction: 'vente' },
  ...{ typeCode: 'maison', prix: 250_000, prixCurrency: 'GBP', prixMention: 'Offers over', pays: 'GB', ville: 'Bath' },
  ...{ regimePropriete: 'Freehold', jardin: true, ascenseur: false, caracteristiques: ['Sea view', 'x'.repeat(80)] },
  plans: [PLAN, { url: 'https://files.example/plan-1.png' }, { url: 'javascript:alert(1)' }],
  documents: [BROCHURE],
  visiteVirtuelle: TOUR,
  energie: [
    { grandeur: 'note', valeur: 72, classe: 'C' },
    { grandeur: 'note-potentielle', valeur: 85, classe: 'B' },
  ],
  photos: [],
};
const FRENCH = {
  ...{ affId: 'A1', intitule: 'Town house', typeTransaction: 'vente', typeCode: 'maison', pays: 'FR', photos: [] },
  ...{ prixPlage: { min: 200_000, max: 300_000 }, dpeClasse: 'D', dpeValeur: 220, gesClasse: 'B', gesValeur: 9 },
  dpeDate: '2024-03-05',
};
const FRAME = expect.stringMatching(
  /^<iframe src="https:\/\/tours\.example\/1\?a=1&#038;b=2" title="Virtual tour"/,
) as unknown;
const TERMS = ['Garden', 'Sea view'];

interface Adapter {
  types: string;
  taxonomies: string[];
  /** Fields of the listing with everything. Those of lists are compared as PHP returns them. */
  fields: Record<string, unknown>;
  terms: string[];
  /** Fields that disappear when the listing has no plans, tour and qualifier. */
  gone: string[];
  french: Record<string, unknown>;
}

const plans = (title: string, url: string): object[] => [
  { [title]: 'Ground floor', [url]: PLAN.url },
  { [title]: 'Floor plan', [url]: 'https://files.example/plan-1.png' },
];

const ADAPTERS: Record<string, Adapter> = {
  houzez: {
    types: 'property',
    taxonomies: ['property_status', 'property_feature'],
    fields: {
      ...{ fave_property_price_prefix: 'Offers over', fave_energy_class: 'C', fave_virtual_tour: FRAME },
      ...{ fave_epc_current_rating: '72', fave_epc_potential_rating: '85', fave_floor_plans_enable: 'enable' },
      floor_plans: plans('fave_plan_title', 'fave_plan_image'),
    },
    terms: ['For sale', ...TERMS],
    gone: ['floor_plans', 'fave_virtual_tour'],
    french: {
      ...{ fave_property_price: '200000', fave_property_price_prefix: 'From', fave_energy_class: 'D' },
      ...{ fave_ghg_emissions_class: 'B', fave_diagnostic_date: '2024-03-05', fave_floor_plans_enable: 'disable' },
    },
  },
  propertyhive: {
    types: 'property',
    taxonomies: ['availability', 'price_qualifier', 'tenure'],
    fields: {
      ...{ _features: '2', _feature_0: 'Garden', _feature_1: 'Sea view', _virtual_tours: '1', _virtual_tour_0: TOUR },
      _floorplan_urls: plans('title', 'url'),
      _brochure_urls: [{ title: 'Brochure', url: BROCHURE.url }],
      ...{ _rooms: '2', _room_description_1: expect.stringContaining('Tenure: Freehold') },
    },
    terms: ['For sale', 'Freehold', 'Offers over'],
    gone: [
      '_features',
      '_feature_0',
      '_feature_1',
      '_virtual_tours',
      '_virtual_tour_0',
      '_floorplan_urls',
      '_brochure_urls',
    ],
    french: { _price: '200000' },
  },
  realhomes: {
    types: 'property',
    taxonomies: ['property-status', 'property-feature'],
    fields: {
      ...{ REAL_HOMES_property_price_prefix: 'Offers over', REAL_HOMES_energy_class: 'C' },
      ...{ REAL_HOMES_epc_current_rating: '72', REAL_HOMES_epc_potential_rating: '85' },
      REAL_HOMES_360_virtual_tour: FRAME,
      inspiry_floor_plans: plans('inspiry_floor_plan_name', 'inspiry_floor_plan_image'),
    },
    terms: ['For sale', ...TERMS],
    gone: ['inspiry_floor_plans', 'REAL_HOMES_360_virtual_tour'],
    french: { REAL_HOMES_property_price: '200000', REAL_HOMES_energy_class: 'D' },
  },
  wpresidence: {
    types: 'estate_property',
    taxonomies: ['property_action_category', 'property_features'],
    fields: {
      ...{ property_label_before: 'Offers over', energy_class: 'C', embed_virtual_tour: FRAME },
      ...{ epc_current_rating: '72', epc_potential_rating: '85' },
    },
    terms: ['For sale', ...TERMS],
    gone: ['embed_virtual_tour', 'epc_current_rating'],
    french: { ...{ property_price: '200000', property_label_before: 'From', energy_class: 'D' }, co2_class: 'B' },
  },
  epl: {
    types: 'property',
    taxonomies: ['tax_feature', 'location'],
    fields: {
      ...{ property_floorplan: PLAN.url, property_floorplan_2: 'https://files.example/plan-1.png' },
      ...{ property_external_link: TOUR, property_external_link_2: BROCHURE.url, property_energy_rating: 'C' },
      property_price_view: 'Offers over £250,000',
    },
    terms: ['Bath', ...TERMS],
    gone: ['property_floorplan', 'property_floorplan_2', 'property_external_link', 'property_external_link_2'],
    french: { ...{ property_price: '200000', property_price_display: 'yes' }, property_energy_rating: 'D' },
  },
};

// Real: WordPress, MariaDB, the plugin, the API. Fake: the post types and taxonomies that the themes and plugins register.
describeWordPress('plans, documents, features, qualifiers and certificates', () => {
  let api: ApiUnderTest;
  let gateway: SeededGateway;
  let site: Site;

  beforeAll(async () => {
    [api, site] = await Promise.all([startApi(), createSite()]);
  });
  afterAll(async () => {
    await Promise.all([api.close(), site.close()]);
  });

  it.each(Object.keys(ADAPTERS))('are in the fields of %s, and disappear with the listing’s own', async (target) => {
    const { types, taxonomies, fields, terms, gone, french } = ADAPTERS[target]!;
    await site.empty();
    gateway = await addGateway(api.database, { listings: [LISTING] });
    await site.connect({ ...gateway, base: api.url }, { target });
    const written = (): Promise<[Record<string, unknown>, string[]]> =>
      site.php(`register_post_type('${types}', ['public' => true]);
        foreach (${JSON.stringify(taxonomies)} as $name) register_taxonomy($name, '${types}');
        Passerelle\\WordPress\\Sync::slice(20, true);
        $id = (int) Passerelle\\WordPress\\Table::rows('SELECT * FROM wp_passerelle')[0]['post_id'];
        $meta = array_map(fn($values) => maybe_unserialize($values[0]), get_post_meta($id));
        return [$meta, wp_get_object_terms($id, ${JSON.stringify(taxonomies)}, ['fields' => 'names'])];`);
    const [meta, names] = await written();
    expect(meta).toMatchObject(fields);
    delete meta['_passerelle'];
    expect(JSON.stringify(meta)).not.toContain('javascript:');
    expect(names.sort()).toEqual([...terms].sort());

    await publishListings(api.database, gateway.id, [FRENCH]);
    await untilServed(api.testDatabase, gateway, [api.url]);
    const [later] = await written();
    expect(later).toMatchObject(french);
    expect(gone.filter((name) => name in later)).toEqual([]);
  });

  it('are written after an update from a release that did not know them', async () => {
    await site.empty();
    gateway = await addGateway(api.database, { listings: [LISTING] });
    await site.connect({ ...gateway, base: api.url }, { target: 'houzez' });
    const slice = (after: string): Promise<unknown> =>
      site.php(`register_post_type('property'); register_taxonomy('property_status', 'property');
        $slices = Passerelle\\WordPress\\Sync::slice(20, true);
        $id = (int) Passerelle\\WordPress\\Table::rows('SELECT * FROM wp_passerelle')[0]['post_id'];
        ${after}
        return [reset($slices)['state'], reset($slices)['updated'], get_post_meta($id, 'fave_property_price_prefix', true)];`);
    expect(
      await slice(`delete_post_meta($id, 'fave_property_price_prefix'); update_option('passerelle_schema', '8');`),
    ).toEqual(['done', 0, '']);
    expect(await slice('')).toEqual(['done', 1, 'Offers over']);
    expect(await slice('')).toEqual(['done', 0, 'Offers over']);
  });
});
