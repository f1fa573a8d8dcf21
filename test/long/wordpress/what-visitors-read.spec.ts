import { ENERGY_SCALES, type EnergyFigure, type EnergyScaleName } from '@passerelle/domain';
import { describeWordPress } from '../../wordpress/support/programs';
import { createSite, type Site } from '../../wordpress/support/site';

const WEEKLY = {
  affId: 'W',
  typeTransaction: 'location',
  loyer: 9403.33,
  loyerSource: { montant: 2170, periode: 'semaine' },
  prixCurrency: 'EUR',
};

let site: Site;

const of = (listing: object, code: string): Promise<unknown> =>
  site.php(`$listing = json_decode(base64_decode('${Buffer.from(JSON.stringify(listing)).toString('base64')}'), true);
    register_post_type('property', ['public' => true]);
    $id = wp_insert_post(['post_type' => 'property', 'post_title' => 'x', 'post_status' => 'publish']);
    ${code}`);

// Real: WordPress and the plugin. There is no gateway, because the tests check only words and drawings.
describeWordPress('the text that a visitor reads', () => {
  beforeAll(async () => {
    site = await createSite({ locale: 'fr_FR' });
  });
  afterAll(() => site.close());

  describeRents();
  describeLabels();
});

function describeRents(): void {
  it.each([
    ['when it is per week', WEEKLY, '2 170 € par semaine'],
    ['when it is per year', { ...WEEKLY, loyerSource: { montant: 12_000, periode: 'an' } }, '12 000 € par an'],
    ['when it is per month', { loyer: 900 }, '900 € par mois'],
    ['when the source states no period', { loyer: 900, loyerSource: { montant: 5 } }, '900 € par mois'],
  ])('of a rent matches the source, %s', async (_when, listing, expected) => {
    const [price, rows] = (await of(
      listing,
      `return [Passerelle\\WordPress\\Words::price($listing), array_merge(...array_values(Passerelle\\WordPress\\Words::particulars($listing)))];`,
    )) as [string, [string, string][]];
    const plain = (text: string): string => text.replace(/[\u00a0\u202f,]/g, ' ').replace('&nbsp;', ' ');
    expect(plain(price)).toBe(expected);
    expect(plain(rows.find(([name]) => name === 'Loyer')![1])).toBe(expected);
  });

  it('of a rent is the same in Houzez and Property Hive, with their words for the period', async () => {
    const written = (target: string, listing: object): Promise<unknown> =>
      of(
        listing,
        `Passerelle\\WordPress\\Targets::get('${target}')->write($id, $listing + ['affId' => 'W']);
         return array_map(fn($values) => $values[0], get_post_meta($id));`,
      );
    expect(await written('houzez', WEEKLY)).toMatchObject({
      fave_property_price: '2170',
      fave_property_price_postfix: 'semaine',
    });
    // Property Hive sorts and compares by the monthly rent.
    expect(await written('propertyhive', WEEKLY)).toMatchObject({
      ...{ _rent: '2170', _rent_frequency: 'pw', _price_actual: '9403.33' },
    });
    const fortnightly = { ...WEEKLY, loyer: 1000, loyerSource: { montant: 460, periode: 'quinzaine' } };
    expect(await written('houzez', fortnightly)).toMatchObject({
      ...{ fave_property_price: '460', fave_property_price_postfix: 'quinzaine' },
    });
    expect(await written('propertyhive', fortnightly)).toMatchObject({ _rent: '1000', _rent_frequency: 'pcm' });
  });
}

/** One listing per class of each scale, with the quantities that its label draws. */
const LABELLED = (Object.keys(ENERGY_SCALES) as EnergyScaleName[]).flatMap((echelle) => {
  const { countries, classes, quantities } = ENERGY_SCALES[echelle];
  return classes.map((classe) => ({
    echelle,
    classe,
    energie: quantities.map((grandeur, place): EnergyFigure => ({
      pays: countries[0],
      echelle,
      grandeur,
      classe,
      valeur: 123 + place,
      unite: 'u',
    })),
  }));
});
const DRAWN: Readonly<Record<string, { charts: number; said: string; isBand?: true; language: string }>> = {
  'FR-DPE': { charts: 2, said: 'Diagnostic de performance énergétique. Climat (GES): ', language: 'fr' },
  'DE-GEG': { charts: 1, said: 'Energieausweis. Endenergie: ', isBand: true, language: 'de' },
  'ES-CEE': { charts: 1, said: 'Calificación energética. Consumo: ', language: 'es' },
  'IT-APE': { charts: 1, said: 'Attestato di prestazione energetica. Prestazione globale: ', language: 'it' },
  'BE-VLG': { charts: 1, said: 'EPC (Vlaanderen). Energiescore: ', isBand: true, language: 'nl' },
  'BE-WAL': { charts: 1, said: 'Certificat PEB (Wallonie). Énergie primaire: ', language: 'fr' },
  'BE-BRU': { charts: 1, said: 'Certificat PEB (Bruxelles). Énergie primaire: ', language: 'fr' },
  'UK-EPC': { charts: 1, said: 'Energy performance certificate. Current: ', language: 'en' },
};

function describeLabels(): void {
  it("of an energy label shows each class of its scale once and the listing's class in words, and the label loads nothing from another site", async () => {
    const pages = (await of(
      { all: LABELLED },
      `return array_map(fn($one) => Passerelle\\WordPress\\EnergyLabels::html($one), $listing['all']);`,
    )) as string[];
    expect(pages).toHaveLength(LABELLED.length);
    for (const [place, { echelle, classe }] of LABELLED.entries()) {
      const { classes } = ENERGY_SCALES[echelle];
      const pictures = pages[place]!.match(/<svg[^]*?<\/svg>/g) ?? [];
      const drawn = pictures.map((svg) => [...svg.matchAll(/>([A-I][1-4]?[+-]*)<\/text>/g)].map(([, one]) => one));
      expect([echelle, classe, drawn]).toEqual([echelle, classe, pictures.map(() => [...classes])]);
      expect(pages[place]).not.toMatch(/<image|<img|href=|url\(|<script/);
      for (const svg of pictures) expect(svg).toMatch(/^<svg role="img" aria-label="[^"]+: [^"]+"/);
      const expected = DRAWN[echelle];
      if (expected === undefined) continue;
      expect([echelle, pictures.length]).toEqual([echelle, expected.charts]);
      expect(pages[place]).toContain(`${expected.said}${classe}, 12`);
      expect(pages[place]).toContain(`<figure class="psr-scale" lang="${expected.language}">`);
      expect([echelle, pages[place]!.includes('<rect')]).toEqual([echelle, expected.isBand === true]);
    }
  });

  it('of a certificate without a class states the reason in words, without a picture', async () => {
    const energie = [{ pays: 'ES', echelle: 'ES-CEE', grandeur: 'energie-primaire', statut: 'en-cours' }];
    const page = await of({ energie }, `return Passerelle\\WordPress\\EnergyLabels::html($listing);`);
    expect(page).toBe(
      '<div class="psr-scales"><figure class="psr-scale" lang="es"><figcaption><p>Consumo: en trámite</p></figcaption></figure></div>',
    );
  });

  it('of mentions shows each sentence in its language, escaped', async () => {
    const mentions = [{ code: 'c', pays: 'ES', langue: 'es', texte: '<b>a</b>', source: 's' }];
    const page = await of({ mentions }, `return Passerelle\\WordPress\\EnergyLabels::mentions($listing);`);
    expect(page).toContain('<li lang="es">&lt;b&gt;a&lt;/b&gt;</li>');
  });
}
