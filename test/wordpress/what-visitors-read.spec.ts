import { describeWordPress } from './support/programs';
import { createSite, type Site } from './support/site';

const WEEKLY = {
  affId: 'W',
  typeTransaction: 'location',
  loyer: 9403.33,
  loyerSource: { montant: 2170, periode: 'semaine' },
  prixCurrency: 'EUR',
};

// Real: WordPress and the plugin. There is no gateway: these are words only.
describeWordPress('what a visitor reads of a rent', () => {
  let site: Site;

  beforeAll(async () => {
    site = await createSite({ locale: 'fr_FR' });
  });
  afterAll(() => site.close());

  const of = (listing: object, code: string): Promise<unknown> =>
    site.php(`$listing = json_decode(base64_decode('${Buffer.from(JSON.stringify(listing)).toString('base64')}'), true);
      register_post_type('property', ['public' => true]);
      $id = wp_insert_post(['post_type' => 'property', 'post_title' => 'x', 'post_status' => 'publish']);
      ${code}`);

  it.each([
    ['by the week', WEEKLY, '2 170 € par semaine'],
    ['by the year', { ...WEEKLY, loyerSource: { montant: 12_000, periode: 'an' } }, '12 000 € par an'],
    ['by the month', { loyer: 900 }, '900 € par mois'],
    ['whose period nobody says', { loyer: 900, loyerSource: { montant: 5 } }, '900 € par mois'],
  ])('is what the source says, %s', async (_when, listing, expected) => {
    const [price, rows] = (await of(
      listing,
      `return [Passerelle\\WordPress\\Words::price($listing), array_merge(...array_values(Passerelle\\WordPress\\Words::particulars($listing)))];`,
    )) as [string, [string, string][]];
    const plain = (text: string): string => text.replace(/[\u00a0\u202f,]/g, ' ').replace('&nbsp;', ' ');
    expect(plain(price)).toBe(expected);
    expect(plain(rows.find(([name]) => name === 'Loyer')![1])).toBe(expected);
  });

  it('is the same in Houzez and Property Hive, with the period in their words', async () => {
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
    // It sorts and compares by the month.
    expect(await written('propertyhive', WEEKLY)).toMatchObject({
      ...{ _rent: '2170', _rent_frequency: 'pw', _price_actual: '9403.33' },
    });
    const fortnightly = { ...WEEKLY, loyer: 1000, loyerSource: { montant: 460, periode: 'quinzaine' } };
    expect(await written('houzez', fortnightly)).toMatchObject({
      ...{ fave_property_price: '460', fave_property_price_postfix: 'quinzaine' },
    });
    expect(await written('propertyhive', fortnightly)).toMatchObject({ _rent: '1000', _rent_frequency: 'pcm' });
  });
});
