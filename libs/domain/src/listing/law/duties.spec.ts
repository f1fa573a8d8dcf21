import { type Listing, mentionsOf, missingDutiesOf } from '../../index';
import { advert, CASES, without } from '../../../../../test/support/law/duty-cases';

const textOf = (listing: Listing, code: string): string | undefined =>
  mentionsOf(listing)
    .find((mention) => mention.code === code)
    ?.texte.replace(/\s/g, ' ');

describe.each(Object.entries(CASES))('%s', (code, { full, texte, facts, unconcerned }) => {
  it('is met by an advert with all its facts, with a sentence if the law requires one', () => {
    expect(missingDutiesOf(advert(full))).not.toContain(code);
    expect(textOf(advert(full), code)).toBe(texte);
  });

  it("is judged the same with and without the advert's mentions", () => {
    for (const given of [full, { ...full, ...unconcerned }, without(advert(full), facts[0]!)]) {
      const bare = advert(given);
      const mentions = mentionsOf(bare);
      expect(missingDutiesOf({ ...bare, mentions })).toEqual(missingDutiesOf(bare));
    }
  });

  it.each(facts)('is unmet, and has no sentence, without %s', (fact) => {
    const listing = without(advert(full), fact);
    expect([missingDutiesOf(listing).includes(code), textOf(listing, code)]).toEqual([true, undefined]);
  });

  it('does not apply to an advert outside its conditions', () => {
    const other = advert({ ...full, ...unconcerned });
    const bare = facts.reduce(without, other);
    for (const listing of [other, { ...bare, ...unconcerned }]) {
      expect([missingDutiesOf(listing).includes(code), textOf(listing, code)]).toEqual([false, undefined]);
    }
  });
});

describe('the duty to show an energy certificate', () => {
  const state = (pays: string, statut: 'en-cours' | 'non-soumis', rest: Partial<Listing> = {}): string[] =>
    missingDutiesOf(advert({ pays, ...rest, energie: [{ pays, grandeur: 'energie-primaire', statut }] })).filter(
      (code) => /epc|peb|energ/.test(code),
    );

  it.each([
    ['ES', {}, 'es-certificado-energetico'],
    ['BE', { codePostal: '9000' }, 'be-vlg-epc'],
    ['BE', { codePostal: '4000' }, 'be-wal-peb'],
    ['BE', { codePostal: '1000' }, 'be-bru-peb'],
    ['NL', {}, 'nl-energielabel'],
    ['AT', {}, 'at-energieausweis'],
    ['PT', {}, 'pt-classe-energetica'],
    ['LU', {}, 'lu-passeport-energetique'],
  ])(
    'in %s %j is unmet while the certificate is in preparation, and met when no certificate is required',
    (pays, rest, code) => {
      expect([state(pays, 'en-cours', rest), state(pays, 'non-soumis', rest)]).toEqual([[code], []]);
    },
  );

  it('is not reported for a British advert while the certificate is in preparation', () => {
    expect(state('GB', 'en-cours')).toEqual([]);
  });
});

it('missingDutiesOf reports no duty for a Belgian advert whose postcode does not determine the region', () => {
  expect(missingDutiesOf(advert({ pays: 'BE' }))).toEqual([]);
});

it.each(Object.entries(CASES).filter(([, { full }]) => full.energie?.some(({ unite }) => unite !== undefined)))(
  '%s states a value only in its expected unit',
  (code, { full }) => {
    const energie = full.energie!.map((figure) => ({ ...figure, unite: 'MJ/an' }));
    expect(textOf(advert({ ...full, energie }), code) ?? '').not.toMatch(/\d/);
  },
);

it('a Dutch advert for a property in Brussels has a sentence in Dutch', () => {
  const listing = advert({ ...CASES['be-bru-peb']!.full, langue: 'nl' });
  expect(mentionsOf(listing)).toMatchObject([
    { langue: 'nl', texte: expect.stringMatching(/^EPB-certificaat: klasse D\+/) },
  ]);
});

it('mentionsOf writes an amount without decimals or with two decimals', () => {
  const text = (charges: number): string =>
    textOf(advert({ ...CASES['fr-loyer-charges']!.full, loyerChargesComprises: 1450.5, charges }), 'fr-loyer-charges')!;
  expect([text(80), text(80.05)]).toEqual([
    expect.stringContaining(': 1 450,50 € par mois charges comprises, dont 80 € de'),
    expect.stringContaining('dont 80,05 € de'),
  ]);
});
