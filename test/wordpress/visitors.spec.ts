import {
  addGateway,
  type ApiUnderTest,
  publishListings,
  type SeededGateway,
  someListings,
  startApi,
  type TestListing,
} from '../medium/api/api-under-test';
import { untilServed } from '../support/until-served';
import { describeWordPress } from './support/programs';
import { createSite, type Site } from './support/site';

const FLAT = { typeTransaction: 'vente', typeCode: 'appartement', prix: 200_000, photos: [] };
const LIST: TestListing[] = [
  { ...FLAT, affId: 'FR', intitule: 'Appartement Lyon', pays: 'FR', dpeClasse: 'D', gesClasse: 'B' },
  { ...FLAT, affId: 'ES', intitule: 'Piso Madrid', pays: 'ES', typeCode: 'maison' },
  {
    ...{ ...FLAT, affId: 'BE', intitule: 'Appartement Gand', pays: 'BE', dpeDate: '2024-03-05' },
    energie: [{ pays: 'BE', grandeur: 'energie-primaire', classe: 'A+', valeur: 45, unite: 'kWh/m²/an' }],
  },
  ...someListings(4, { typeTransaction: 'location', prix: undefined, loyer: 900, photos: [] }),
];

// Real: WordPress behind PHP's own web server, MariaDB, the plugin, the API. Fake: the ingestor.
describeWordPress('site for visitors and search engines', () => {
  let api: ApiUnderTest;
  let gateway: SeededGateway;
  let site: Site;

  beforeAll(async () => {
    [api, site] = await Promise.all([startApi(), createSite({ locale: 'fr_FR' })]);
    gateway = await addGateway(api.database, { listings: LIST });
    await site.connect({ ...gateway, base: api.url }, { photos: 'link' });
    await site.slice();
    await site.php('flush_rewrite_rules(); return true;');
    await site.serve();
  });
  afterAll(async () => {
    await Promise.all([api.close(), site.close()]);
  });

  const publish = async (list: TestListing[]): Promise<void> => {
    await publishListings(api.database, gateway.id, list);
    await untilServed(api.testDatabase, gateway, [api.url]);
    expect(await site.slice()).toMatchObject({ state: 'done' });
  };
  const addressOf = (affId: string): Promise<string> =>
    site.php<string>(
      `return get_permalink((int) Passerelle\\WordPress\\Table::find('kyero/${gateway.client}', '${affId}')['post_id']);`,
    );
  const get = async (address: string): Promise<{ status: number; text: string; location: string | null }> => {
    const response = await fetch(address, { redirect: 'manual' });
    return { status: response.status, text: await response.text(), location: response.headers.get('location') };
  };
  const deleteDrafts = async (): Promise<void> => {
    await site.php(
      `$GLOBALS['wpdb']->query("UPDATE wp_passerelle SET gone_at = gone_at - INTERVAL 31 DAY"); return 1;`,
    );
    await site.slice();
  };
  /** The last listing under other identifiers, which the gateway links because they differ only in zeros. */
  const listedAgain = (affId: string): TestListing[] => [
    ...LIST.slice(0, -1),
    { ...LIST.at(-1)!, affId, affNum: affId, intitule: `Maison ${affId}` },
  ];

  it('shows no notice of French law and no French scale for a flat in Spain or Belgium', async () => {
    const [french, spanish, belgian] = await Promise.all(
      ['FR', 'ES', 'BE'].map(async (affId) => (await get(await addressOf(affId))).text),
    );
    expect(french).toMatch(/<[^<>]*psr-scale[\s\S]*georisques/);
    for (const page of [spanish, belgian]) expect(page).not.toMatch(/<[^<>]*psr-scale|georisques|DPE|GES\b/);
    expect(spanish).not.toContain('Performance énergétique');
    expect(belgian).toMatch(/Énergie primaire<\/dt><dd>Classe A\+ · 45 kWh/);
  });

  it('has a search form that leads to the list with plain permalinks', async () => {
    await site.php(`update_option('permalink_structure', ''); flush_rewrite_rules(); return 1;`);
    try {
      const { text } = await get(`${site.url}/?post_type=passerelle_bien`);
      const [form = ''] = /<form class="psr-filters"[\s\S]*?<\/form>/.exec(text) ?? [];
      const [, action = ''] = /action="([^"]+)"/.exec(form) ?? [];
      // Like a browser, replace the query of `action` by the form's fields.
      const asked = new URL(action.replaceAll('&amp;', '&'));
      asked.search = '';
      for (const [, name = '', value = ''] of form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g))
        asked.searchParams.set(name, value);
      asked.searchParams.set('offre', 'location');
      const found = await get(asked.href);
      expect(found.text.match(/psr-card"/g)).toHaveLength(4);
    } finally {
      await site.php(`update_option('permalink_structure', '/%postname%/'); flush_rewrite_rules(); return 1;`);
    }
  });

  it('answers 410 for a removed listing, as a draft and after its deletion, and 404 for an unknown one', async () => {
    const address = await addressOf('L-4');
    await publish(LIST.slice(0, -1));
    expect((await get(address)).status).toBe(410);
    await deleteDrafts();
    expect(await site.php(`return Passerelle\\WordPress\\Table::find('kyero/${gateway.client}', 'L-4');`)).toBeNull();
    expect((await get(address)).status).toBe(410);
    expect((await get(`${site.url}/annonces/never-was/`)).status).toBe(404);
    await publish(LIST);
    expect((await get(await addressOf('L-4'))).status).toBe(200);
  });

  it('leads from a removed listing to the listing that replaces it, as a draft and after its deletion', async () => {
    const first = await addressOf('L-4');
    await publish(listedAgain('L-04'));
    const second = await addressOf('L-04');
    expect(second).not.toBe(first);
    expect(await get(first)).toMatchObject({ status: 301, location: second });
    await deleteDrafts();
    expect(await get(first)).toMatchObject({ status: 301, location: second });

    await publish(listedAgain('L-004'));
    const third = await addressOf('L-004');
    for (const address of [first, second]) expect(await get(address)).toMatchObject({ status: 301, location: third });
    await deleteDrafts();
    for (const address of [first, second]) expect(await get(address)).toMatchObject({ status: 301, location: third });
    await publish(LIST.slice(0, -1));
    for (const address of [first, second, third]) expect((await get(address)).status).toBe(410);
    await publish(LIST);
  });

  it('leads from a kept page of a removed listing to the listing that replaces it', async () => {
    await site.connect({ ...gateway, base: api.url }, { gone: 'keep' });
    const first = await addressOf('L-4');
    await publish(listedAgain('L-00004'));
    expect(await get(first)).toMatchObject({ status: 301, location: await addressOf('L-00004') });
    await site.connect({ ...gateway, base: api.url }, { gone: 'draft' });
    await publish(LIST);
  });

  it('omits a removed listing from the sitemap even if its page is kept', async () => {
    const sitemap = `${site.url}/wp-sitemap-posts-passerelle_bien-1.xml`;
    const address = await addressOf('L-3');
    await site.php(`update_option('blog_public', '1'); return 1;`);
    expect((await get(sitemap)).text).toContain(address);
    await site.connect({ ...gateway, base: api.url }, { gone: 'keep' });
    await publish(LIST.filter(({ affId }) => affId !== 'L-3'));
    const { text } = await get(sitemap);
    expect(text).not.toContain(address);
    expect(text).toContain(await addressOf('L-2'));
    expect((await get(address)).status).toBe(200);
  });
});
