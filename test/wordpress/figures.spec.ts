import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { addGateway, type ApiUnderTest, startApi, type TestListing } from '../medium/api/api-under-test';
import { describeWordPress, hasLanguagePack } from './support/programs';
import { createSite, type Site } from './support/site';

const RENT = { affId: 'R', typeTransaction: 'location', prixCurrency: 'EUR', pays: 'FR' };
const plain = (text: string): string => text.replaceAll('\u00a0', ' ');

let site: Site;
const of = <Value>(listing: object, code: string, locale = 'fr_FR'): Promise<Value> =>
  site.php<Value>(`$listing = json_decode(base64_decode('${Buffer.from(JSON.stringify(listing)).toString('base64')}'), true);
    add_filter('locale', fn () => '${locale}'); add_filter('determine_locale', fn () => '${locale}');
    unload_textdomain('passerelle'); load_plugin_textdomain('passerelle', false, 'passerelle/languages');
    use Passerelle\\WordPress\\{Words, Numbers, Rents};
    ${code}`);

// Real: WordPress with and without its own language packs, the plugin, MariaDB. There is no gateway.
describeWordPress('amounts, numbers and dates', () => {
  beforeAll(async () => {
    site = await createSite({ locale: 'fr_FR' });
  });
  afterAll(() => site.close());

  it.each<[string, object, string, string]>([
    [
      'gives the rent with charges',
      { loyer: 961.5, loyerChargesComprises: 961.5, charges: 201.5 },
      '961,50 € par mois charges comprises',
      'dont charges de 201,50 € par mois',
    ],
    [
      'gives the rent without charges',
      { loyer: 760, loyerHorsCharges: 760, charges: 201.5 },
      '760 € par mois hors charges',
      'plus charges de 201,50 € par mois',
    ],
    [
      'gives a rent below the rent with charges',
      { loyer: 760, loyerChargesComprises: 961.5 },
      '760 € par mois hors charges',
      '',
    ],
    [
      'gives a rent that is the sum of the net rent and the charges',
      { loyer: 961.5, loyerHorsCharges: 760, charges: 201.5 },
      '961,50 € par mois charges comprises',
      'dont charges de 201,50 € par mois',
    ],
    ['does not mention charges', { loyer: 900 }, '900 € par mois', ''],
    [
      'gives charges, but not whether the rent includes them',
      { loyer: 961.5, charges: 201.5 },
      '961,50 € par mois',
      'charges de 201,50 € par mois ; il n’est pas précisé si le loyer les comprend',
    ],
  ])('of a rent state whether it includes charges when the source %s', async (_when, fields, price, note) => {
    const [told, below] = await of<[string, string]>(
      { ...RENT, ...fields },
      'return [Words::price($listing), Words::priceNote($listing)];',
    );
    expect([told, below].map(plain)).toEqual([price, note]);
  });

  it('of a German rent include the parts from the feed, with German labels', async () => {
    const rent = { loyer: 700, loyerHorsCharges: 700, charges: 120, chargesChauffage: 80, loyerChargesComprises: 900 };
    const rows = await of<[string, string][]>(
      { ...RENT, ...rent, pays: 'DE' },
      'return array_merge(...array_values(Words::particulars($listing)));',
      'de_DE',
    );
    const told = Object.fromEntries(rows.map(([name, value]) => [name, plain(value)]));
    expect(told).toMatchObject({
      ...{ Kaltmiete: '700 € pro Monat', Nebenkosten: '120 € pro Monat', Heizkosten: '80 € pro Monat' },
      Warmmiete: '900 € pro Monat',
    });
  });

  it('of a rent have the same text in the fields of each theme', async () => {
    const written = await of<Record<string, string[]>>(
      { ...RENT, loyer: 961.5, loyerChargesComprises: 961.5 },
      `register_post_type('property'); $id = wp_insert_post(['post_type' => 'property', 'post_title' => 'x']);
      foreach (['houzez', 'realhomes', 'wpresidence'] as $target) Passerelle\\WordPress\\Targets::get($target)->write($id, $listing);
      return get_post_meta($id);`,
    );
    expect(written).toMatchObject({
      fave_property_price_postfix: ['mois charges comprises'],
      REAL_HOMES_property_price_postfix: ['par mois charges comprises'],
      property_label: ['par mois charges comprises'],
    });
  });

  const FIGURES = `return [Words::money(289000, ['prixCurrency' => 'EUR']), Words::money(1234.5, ['prixCurrency' => 'GBP']), Words::money(1200, ['prixCurrency' => 'CHF']),
    Words::area(50.5), Numbers::format(12345), Numbers::day('2027-03-01')];`;
  const BY_LANGUAGE: [string, string[]][] = [
    ['fr_FR', ['289 000 €', '1 234,50 £', '1 200 CHF', '50,5 m²', '12 345', '1 mars 2027']],
    ['de_DE', ['289.000 €', '1.234,50 £', '1.200 CHF', '50,5 m²', '12.345', '1. März 2027']],
    ['en_US', ['€289,000', '£1,234.50', 'CHF 1,200', '50.5 m² (544 sq ft)', '12,345', 'March 1, 2027']],
    ['nl_NL', ['€ 289.000', '£ 1.234,50', 'CHF 1.200', '50,5 m²', '12.345', '1 maart 2027']],
    ['es_ES', ['289.000 €', '1.234,50 £', '1.200 CHF', '50,5 m²', '12.345', '1 de marzo de 2027']],
    ['it_IT', ['289.000 €', '1.234,50 £', '1.200 CHF', '50,5 m²', '12.345', '1 marzo 2027']],
    ['en_GB', ['€289,000', '£1,234.50', 'CHF 1,200', '50.5 m² (544 sq ft)', '12,345', '1 March 2027']],
    ['de_AT', ['€ 289.000', '£ 1.234,50', 'CHF 1.200', '50,5 m²', '12.345', '1. März 2027']],
    ['de_CH', ['€ 289’000', '£ 1’234.50', 'CHF 1’200', '50.5 m²', '12’345', '1. März 2027']],
  ];

  const followsRules = async (locale: string, expected: string[]): Promise<void> => {
    await site.php(`update_option('date_format', 'F j, Y'); return 1;`);
    const told = await of<string[]>(
      {},
      `load_default_textdomain('${locale}'); $GLOBALS['wp_locale'] = new WP_Locale(); ${FIGURES}`,
      locale,
    );
    expect(told.map(plain)).toEqual(expected);
  };
  const [packs, noPacks] = [true, false].map((has) =>
    BY_LANGUAGE.filter(([locale]) => hasLanguagePack(locale) === has),
  );
  it.each(packs!)('follow the rules of %s when WordPress has its language pack', followsRules);
  if (noPacks!.length > 0)
    it.skip.each(noPacks!)('follow the rules of %s (missing here: its language pack)', followsRules);

  it.each([
    ['fr_FR', 'g:i a', '1 mars 2027 15:30'],
    ['en_US', 'g:i a', 'March 1, 2027 3:30 pm'],
    ['fr_FR', 'H\\hi', '1 mars 2027 15h30'],
  ])('show a moment by the rules of %s, or in the time format %s of the owner', async (locale, format, expected) => {
    await site.php(`update_option('date_format', 'F j, Y'); update_option('time_format', '${format}'); return 1;`);
    const told = await of<string>(
      {},
      `load_default_textdomain('${locale}'); $GLOBALS['wp_locale'] = new WP_Locale(); return Numbers::moment(strtotime('2027-03-01T14:30:00Z'));`,
      locale,
    );
    expect(plain(told)).toBe(expected);
    await site.php(`update_option('time_format', 'g:i a'); return 1;`);
  });

  it("show a day in the site owner's format, and do not shift it west of Greenwich", async () => {
    await site.php(`update_option('date_format', 'd/m/Y'); return 1;`);
    expect(
      await of({}, `update_option('timezone_string', 'America/Cayenne'); return Numbers::day('2027-03-01');`),
    ).toBe('01/03/2027');
    await site.php(
      `update_option('timezone_string', 'Europe/Paris'); update_option('date_format', 'F j, Y'); return 1;`,
    );
  });

  it.each(BY_LANGUAGE)(
    'follow the rules of %s when WordPress does not have its language pack',
    async (locale, expected) => {
      await rm(join(site.folder, 'wp-content/languages'), { recursive: true, force: true });
      const told = await of<string[]>({}, FIGURES, locale);
      expect(told.map(plain)).toEqual(expected);
    },
  );
});

const LISTS: TestListing[] = [
  {
    affId: 'S1',
    intitule: 'Studio',
    typeTransaction: 'vente',
    typeCode: 'appartement',
    ville: 'Lyon',
    prix: 300_000,
    prixCurrency: 'EUR',
  },
  {
    affId: 'S2',
    intitule: 'Chalet',
    typeTransaction: 'vente',
    typeCode: 'maison',
    ville: 'Sion',
    prix: 250_000,
    prixCurrency: 'CHF',
  },
  {
    affId: 'S3',
    intitule: 'Villa',
    typeTransaction: 'vente',
    typeCode: 'maison',
    ville: 'Lyon',
    prix: 700_000,
    prixCurrency: 'EUR',
  },
  {
    affId: 'R1',
    intitule: 'Appartement',
    typeTransaction: 'location',
    typeCode: 'appartement',
    ville: 'Lyon',
    loyer: 900,
    prixCurrency: 'EUR',
  },
  {
    affId: 'R2',
    intitule: 'Pavillon',
    typeTransaction: 'location',
    typeCode: 'maison',
    ville: 'Sion',
    loyer: 1500,
    prixCurrency: 'EUR',
  },
  {
    affId: 'U',
    intitule: 'Flat',
    typeTransaction: 'vente',
    typeCode: 'appartement',
    ville: 'Bath',
    prix: 200_000,
    prixCurrency: 'GBP',
    pays: 'GB',
    copropriete: true,
    regimePropriete: 'Leasehold',
    bailAnnees: 99,
    redevanceFonciere: { montant: 250, periode: 'an' },
  },
  ...[
    { affId: 'C1', intitule: 'Bail', loyer: 2000, prix: 80_000 },
    { affId: 'C2', intitule: 'Local', loyer: 900 },
  ].map((one) => ({
    ...one,
    typeTransaction: 'cession-de-bail',
    typeCode: 'local',
    ville: 'Metz',
    prixCurrency: 'EUR',
  })),
  {
    ...{ affId: 'P', intitule: 'Programme', typeTransaction: 'programme', typeCode: 'autre', ville: 'Metz' },
    ...{ prixPlage: { min: 190_000, max: 420_000 }, prixCurrency: 'EUR' },
  },
].map((one) => ({ pays: 'FR', photos: [], ...one }));

// Real: WordPress behind PHP's own web server, MariaDB, the plugin, the API. Fake: the ingestor.
describeWordPress('search', () => {
  let api: ApiUnderTest;

  beforeAll(async () => {
    [api, site] = await Promise.all([startApi(), createSite({ locale: 'fr_FR' })]);
    const gateway = await addGateway(api.database, { listings: LISTS });
    await site.connect({ ...gateway, base: api.url }, { photos: 'link' });
    await site.slice();
    await site.php('flush_rewrite_rules(); return true;');
    await site.serve();
  });
  afterAll(async () => {
    await Promise.all([api.close(), site.close()]);
  });

  const found = async (query: string): Promise<string[]> => {
    const text = await (await fetch(`${site.url}/annonces/?${query}`)).text();
    return [...text.matchAll(/class="psr-title">([^<]+)</g)].map(([, title = '']) => title);
  };

  /** The number behind each option of the filters. */
  const countsOf = async (query: string): Promise<Record<string, string>> => {
    const text = await (await fetch(`${site.url}/annonces/?${query}`)).text();
    const [form = ''] = /<form class="psr-filters"[\s\S]*?<\/form>/.exec(text) ?? [];
    const options = form.matchAll(
      /<(?:option|input type="checkbox" name="ville\[\]") value="([^"]*)"[^>]*>(?: <span>)?[^<(]*\((\d+)\)/g,
    );
    return Object.fromEntries([...options].map(([, value, count]) => [value, count]));
  };

  it.each([
    ['by a price finds sales in the most frequent currency', 'prix_max=400000&bien=appartement', ['Studio']],
    ['by a price and an offer compares amounts of that offer', 'prix_max=1000&offre=location', ['Appartement']],
    ['by a price and a currency finds listings in that currency', 'prix_max=400000&devise=CHF', ['Chalet']],
    [
      'sorted by price groups sales, rents and currencies',
      'tri=cheap',
      ['Bail', 'Programme', 'Studio', 'Villa', 'Chalet', 'Flat', 'Appartement', 'Local', 'Pavillon'],
    ],
    [
      'sorted by price, highest first, keeps these groups',
      'tri=dear',
      ['Villa', 'Studio', 'Programme', 'Bail', 'Chalet', 'Flat', 'Pavillon', 'Appartement', 'Local'],
    ],
  ])('%s', async (_what, query, expected) => {
    expect(await found(query)).toEqual(expected);
  });

  it('by a price and an offer that has prices and rents compares prices only', async () => {
    expect(await found('prix_max=100000&offre=cession-de-bail')).toEqual(['Bail']);
  });

  it('by a price finds a project by the lowest price of its range', async () => {
    expect(await found('prix_max=200000&offre=programme&devise=EUR')).toEqual(['Programme']);
    expect(await found('prix_max=189999&offre=programme&devise=EUR')).toEqual([]);
  });

  it('counts, for each offer, amounts of its own kind', async () => {
    expect(await countsOf('prix_max=1000')).toMatchObject({ location: '1' });
    expect(await countsOf('prix_max=400000&offre=vente&devise=EUR')).toMatchObject({ vente: '1', location: '2' });
    expect(await countsOf('prix_max=400000&offre=location&devise=EUR')).toMatchObject({ vente: '1', location: '2' });
  });

  it('counts, for each filter, the results under the other filters', async () => {
    expect(await countsOf('ville=Lyon&bien=maison')).toEqual({
      ...{ vente: '1', maison: '1', appartement: '2', Lyon: '1', Sion: '2' },
    });
  });

  it('has the same results on the map', async () => {
    await site.php(`$GLOBALS['wpdb']->query('UPDATE wp_passerelle SET lat = 45.75, lon = 4.85'); return 1;`);
    const pins = (await (
      await fetch(`${site.url}/?rest_route=/passerelle/v1/pins&prix_max=400000&bien=appartement`)
    ).json()) as unknown[];
    expect(pins).toHaveLength(1);
  });

  it('is described in e-mails with its currency and without HTML entities', async () => {
    const told = (filters: object): Promise<string> =>
      site.php<string>(
        `return Passerelle\\WordPress\\Alerts::words(['filters' => json_encode(Passerelle\\WordPress\\Alerts::wanted(Passerelle\\WordPress\\Pages::filtersOf(json_decode('${JSON.stringify(filters)}', true))))]);`,
      );
    expect(await told({ prix_max: '400000', devise: 'CHF' })).toMatch(/ 400 000 CHF$/);
    expect(await told({ prix_max: '400000', surface_min: '1200' })).toMatch(/ 400 000 € · .* 1 200$/);
    expect(await told({ prix_max: '1000', offre: 'location' })).not.toContain('&');
  });

  it('leads to pages with headings above legal sentences, and without co-ownership for a British leasehold', async () => {
    const pageOf = async (affId: string): Promise<string> => {
      const address = await site.php<string>(
        `return get_permalink((int) Passerelle\\WordPress\\Table::rows("SELECT post_id FROM wp_passerelle WHERE aff_id = '${affId}'")[0]['post_id']);`,
      );
      return (await fetch(address)).text();
    };
    expect(await pageOf('S1')).toMatch(/<h2>Informations légales<\/h2>\s*<p class="psr-risks">/);
    const british = plain(await pageOf('U'));
    expect(british).not.toContain('Copropriété');
    expect(british).toMatch(/<h2>Régime de propriété<\/h2><dl>[^£]*Leasehold[^£]*>99<[^£]*250 £ par an/);
  });

  it('finds listings of an earlier release by currency, and sorts them by kind of price', async () => {
    await site.php(
      `$GLOBALS['wpdb']->query('ALTER TABLE wp_passerelle DROP COLUMN currency, DROP COLUMN is_rent'); update_option('passerelle_schema', '5'); return 1;`,
    );
    expect(await found('prix_max=400000&devise=CHF')).toEqual(['Chalet']);
    expect(await found('tri=cheap')).toEqual([
      'Bail',
      'Programme',
      'Studio',
      'Villa',
      'Chalet',
      'Flat',
      'Appartement',
      'Local',
      'Pavillon',
    ]);
  });
});
