import {
  addGateway,
  type ApiUnderTest,
  type SeededGateway,
  startApi,
  type TestListing,
} from '../medium/api/api-under-test';
import { describeWordPress } from './support/programs';
import { createSite, type Site } from './support/site';

const TOWNS: [name: string, latitude: number, longitude: number][] = [
  ['Lyon', 45.76, 4.84],
  ['Évreux', 49.02, 1.15],
  ['Villeurbanne', 45.77, 4.88],
];
const FEATURES = ['ascenseur', 'piscine', 'jardin', 'meuble'] as const;

/** Listings in which every filter finds some and leaves some. */
const LIST: TestListing[] = Array.from({ length: 24 }, (_, n) => {
  const [ville, latitude, longitude] = TOWNS[n % 3]!;
  return {
    ...{ affId: `L${n}`, affNum: `REF-${n}`, intitule: n % 4 === 0 ? 'Maisons au calme' : 'Appartement clair' },
    ...{ typeTransaction: 'vente', typeCode: 'maison', prix: 100_000 + n, prixCurrency: 'EUR', photos: [] },
    ...{ ville, latitude, longitude, nbrePieces: 1 + (n % 6), dpeClasse: 'ABCDEFG'[n % 7] },
    ...(n % 5 !== 0 && { nbreChambres: n % 4, surfaceTerrain: 100 * (n % 9) || undefined }),
    negoNom: n % 2 === 0 ? 'Claire Dupont-Ney' : 'Karim Aït',
    ...(n % 8 === 0 && { statut: 'vendu' }),
    ...Object.fromEntries(FEATURES.flatMap((field, bit) => (n & (1 << bit) ? [[field, true]] : []))),
  };
});

// Real: WordPress behind PHP's own web server, MariaDB, the plugin, the API. Fake: the ingestor.
describeWordPress('a search by visitors', () => {
  let api: ApiUnderTest;
  let gateway: SeededGateway;
  let site: Site;

  beforeAll(async () => {
    [api, site] = await Promise.all([startApi(), createSite({ locale: 'fr_FR' })]);
    gateway = await addGateway(api.database, { listings: JSON.parse(JSON.stringify(LIST)) as TestListing[] });
    await site.connect({ ...gateway, base: api.url }, { photos: 'link' });
    expect(await site.slice()).toMatchObject({ state: 'done', added: LIST.length });
    await site.php('flush_rewrite_rules(); return true;');
    await site.serve();
  });
  afterAll(async () => {
    await Promise.all([api.close(), site.close()]);
  });

  const page = async (query: string): Promise<string> => (await fetch(`${site.url}/annonces/?${query}`)).text();
  /** The identifiers of the results, sorted. */
  async function onSite(query: string): Promise<string[]> {
    const ids = await site.php<{ aff_id: string }[]>(
      `parse_str('${query}', $given);
       return Passerelle\\WordPress\\Table::rows('SELECT aff_id FROM wp_passerelle psr WHERE gone_at IS NULL' . Passerelle\\WordPress\\Search::where(Passerelle\\WordPress\\Pages::filtersOf($given)));`,
    );
    return ids.map(({ aff_id: id }) => id).sort();
  }
  async function inApi(query: string): Promise<string[]> {
    const { body } = await api.get(`/v1/search?${gateway.query}&per_page=200&${query}`, gateway.headers);
    return (body as { data: { affId: string }[] }).data.map(({ affId }) => affId).sort();
  }

  it.each([
    ['bedrooms', 'chambres_min=2', 'chambresMin=2'],
    ['rooms', 'pieces_min=4', 'piecesMin=4'],
    ['land', 'terrain_min=400', 'terrainMin=400'],
    ['the energy class', 'dpe=C', 'dpeClasse=A,B,C'],
    ['several towns', 'ville[]=Lyon&ville[]=Villeurbanne', 'ville=Lyon,Villeurbanne'],
    ['a town without its accent', 'ville=Evreux', 'ville=Evreux'],
    ['several features', 'equipements[]=piscine&equipements[]=jardin', 'piscine=true&jardin=true'],
    ['a radius', 'autour=45.765,4.86&rayon=10', 'around=45.765,4.86,10'],
    ['a reference', 'mots=REF-7', 'q=REF-7'],
    ['words, also in the plural', 'mots=maisons+calme', 'q=maisons+calme'],
    ['all of these', 'ville=Lyon&chambres_min=1&equipements=ascenseur', 'ville=Lyon&chambresMin=1&ascenseur=true'],
  ])('by %s finds the same listings as the API', async (_what, own, ofApi) => {
    const found = await onSite(own);
    expect(found).toEqual(await inApi(ofApi));
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThan(LIST.length);
  });

  it('can leave out sold listings', async () => {
    const found = await onSite('libre=oui');
    expect(LIST.map(({ affId }) => affId).filter((id) => !found.includes(id))).toEqual(['L0', 'L8', 'L16']);
  });

  it('shows the listings of an agent, with a link from each of them', async () => {
    const found = await onSite('agent=Karim Aït');
    expect(found).toHaveLength(LIST.length / 2);
    const text = await page(`agent=${encodeURIComponent('Karim Aït')}`);
    expect(text).toMatch(/<h1>\s*Biens de Karim Aït<\/h1>/);
    const [, address = ''] = /psr-card"><a href="([^"]+)"/.exec(text) ?? [];
    expect(await (await fetch(address)).text()).toContain('/annonces/?agent=Karim%20A%C3%AFt"');
  });

  it('shows square feet and acres to readers in Britain and North America only', async () => {
    const areas = (locale: string): Promise<string[]> =>
      site.php<string[]>(
        `add_filter('determine_locale', fn () => '${locale}'); return array_map([Passerelle\\WordPress\\Words::class, 'area'], [50, 12140.6]);`,
      );
    expect((await areas('en_GB')).map((area) => area.replaceAll('\u{a0}', ' '))).toEqual([
      '50 m² (538 sq ft)',
      '12,140.6 m² (3 acres)',
    ]);
    expect((await areas('en_AU'))[0]).toBe('50\u{a0}m²');
  });

  it('ignores values that are none', async () => {
    const nonsense = 'chambres_min=-1&dpe=Z&equipements=x&autour=99,500&rayon=x&terrain_min=1e3&libre=1&mots=';
    expect(await onSite(nonsense)).toHaveLength(LIST.length);
  });

  it('shows its filters in the form, and keeps them in a saved search', async () => {
    const query = 'ville[]=Lyon&ville[]=Villeurbanne&equipements=piscine&dpe=C&autour=45.765,4.86,25';
    const text = await page(query);
    expect(text).toMatch(/<b>Lyon, Villeurbanne<\/b>/);
    expect(text).toMatch(/<details class="psr-further" open>/);
    expect(text).toMatch(/value="piscine" checked/);
    expect(text).toMatch(/value="25" selected/);
    expect(text).toMatch(/Lyon, Villeurbanne · dans un rayon de 25 km · Classe énergie C ou mieux · Piscine/);
    expect(await page('')).toMatch(/<details class="psr-further">/);
  });

  it('reads the listings of an earlier release once more', async () => {
    await site.php(
      `global $wpdb; foreach (['bedrooms', 'plot', 'energy', 'features', 'status', 'reference', 'agent'] as $column) $wpdb->query("ALTER TABLE wp_passerelle DROP COLUMN $column");
       update_option('passerelle_schema', '7'); Passerelle\\WordPress\\Table::prepare(); return 1;`,
    );
    expect(await onSite('chambres_min=2')).toEqual(await inApi('chambresMin=2'));
    expect(await onSite('equipements=jardin&mots=REF-7')).toEqual(['L7']);
  });
});
