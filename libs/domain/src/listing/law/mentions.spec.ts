import { type Listing, mentionsOf, missingDutiesOf } from '../../index';

const advert = (fields: Partial<Listing>): Listing => ({
  ...{ affId: '1', passerelleName: 'demo', photos: [], typeTransaction: 'vente', typeCode: 'appartement' },
  ...fields,
});
const french = (fields: Partial<Listing>): Listing => advert({ pays: 'FR', prixCurrency: 'EUR', ...fields });
const textsOf = (listing: Listing): string[] => mentionsOf(listing).map(({ texte }) => texte.replace(/\s/g, ' '));

describe('a French advert', () => {
  it('without facts has no sentence, and does not meet the duties that certainly apply', () => {
    expect(mentionsOf(french({}))).toEqual([]);
    expect(missingDutiesOf(french({}))).toEqual(['fr-dpe', 'fr-georisques', 'fr-honoraires']);
  });

  it('with all facts meets every duty', () => {
    const listing = french({
      ...{ dpeClasse: 'F', gesClasse: 'C', dpeCoutMin: 900, dpeCoutMax: 1300, dpeAnneeReference: '2021-01-01' },
      ...{ georisques: true, honorairesCharge: 'acquereur', honoraires: 5, honorairesUnite: 'pourcentage' },
      ...{ prixHorsHonoraires: 400_000, copropriete: true, coproLots: 24, coproCharges: 1200, coproProcedure: false },
    });
    expect(textsOf(listing)).toEqual([
      'Logement à consommation énergétique excessive : classe F',
      'Montant estimé des dépenses annuelles d’énergie pour un usage standard : entre 900 € et 1 300 € par an. Année de référence des prix de l’énergie : 2021',
      'Les informations sur les risques auxquels ce bien est exposé sont disponibles sur le site Géorisques : www.georisques.gouv.fr',
      'Honoraires : 5 % TTC à la charge de l’acquéreur. Prix hors honoraires : 400 000 €',
      'Copropriété de 24 lots. Charges annuelles : 1 200 €. Pas de procédure en cours',
    ]);
    expect(missingDutiesOf(listing)).toEqual([]);
  });

  it.each<[string, Partial<Listing>, string]>([
    ['a statement about proceedings', { copropriete: true, coproLots: 24, coproCharges: 1200 }, 'fr-copropriete'],
    ['the year of the prices', { dpeClasse: 'C', dpeCoutMin: 900, dpeCoutMax: 1300 }, 'fr-depenses-energie'],
    ['the price without fees', { honorairesCharge: 'acquereur', honoraires: 5 }, 'fr-honoraires'],
  ])('without %s has no sentence about the duty, and does not meet the duty', (_fact, fields, code) => {
    expect(mentionsOf(french(fields)).map((mention) => mention.code)).not.toContain(code);
    expect(missingDutiesOf(french(fields))).toContain(code);
  });

  it.each(['A', 'E', 'VI', undefined])('is not called excessive in class %s', (dpeClasse) => {
    expect(textsOf(french(dpeClasse === undefined ? {} : { dpeClasse }))).toEqual([]);
  });

  it('fulfils the duty about risks when its text names the website', () => {
    expect(missingDutiesOf(french({ commentaires: 'Voir www.georisques.gouv.fr' }))).not.toContain('fr-georisques');
  });
});

describe('a German advert', () => {
  const figure = { pays: 'DE', echelle: 'DE-GEG', grandeur: 'energie-finale' } as const;
  const facts = {
    base: 'consommation',
    valeur: 120.5,
    unite: 'kWh/m²/an',
    vecteurs: ['Gas'],
    annee: 1985,
    classe: 'H',
  } as const;

  it('has its sentence when all five facts are known', () => {
    const listing = advert({ pays: 'DE', energie: [{ ...figure, ...facts, vecteurs: ['Gas'] }] });
    expect(textsOf(listing)).toEqual([
      'Energieverbrauchsausweis, Endenergieverbrauch 120,5 kWh/(m²·a), wesentliche Energieträger: Gas, Baujahr 1985, Energieeffizienzklasse H',
    ]);
    expect(missingDutiesOf(listing)).toEqual([]);
  });

  it.each(Object.keys(facts))('without its %s has no sentence, and does not meet the duty', (fact) => {
    const some = Object.fromEntries(Object.entries(facts).filter(([name]) => name !== fact));
    const listing = advert({ pays: 'DE', energie: [{ ...figure, ...some }] });
    expect([mentionsOf(listing), missingDutiesOf(listing)]).toEqual([[], ['de-energieausweis']]);
  });
});

it('an Italian advert has a sentence only with a class and an index by area or volume', () => {
  const figure = { pays: 'IT', echelle: 'IT-APE', grandeur: 'energie-primaire', classe: 'A4' } as const;
  const said = (unite: string): string[] =>
    textsOf(advert({ pays: 'IT', energie: [{ ...figure, valeur: 42, unite }] }));
  expect([said('kWh/m²/an'), said('kWh/m³/an'), said('kWh/an')]).toEqual([
    ['Classe energetica A4, indice di prestazione energetica globale 42 kWh/m² anno'],
    ['Classe energetica A4, indice di prestazione energetica globale 42 kWh/m³ anno'],
    [],
  ]);
  const total = { pays: 'IT', grandeur: 'energie-primaire', valeur: 900, unite: 'kWh/an' } as const;
  const besideTotal = advert({ pays: 'IT', energie: [total, { ...figure, valeur: 42, unite: 'kWh/m²/an' }] });
  expect(textsOf(besideTotal)).toEqual(said('kWh/m²/an'));
  expect(missingDutiesOf(advert({ pays: 'IT', energie: [figure] }))).toEqual(['it-prestazione-energetica']);
});

it.each(['US', undefined])('an advert of %s has no mentions and no duties', (pays) => {
  const listing = advert(pays === undefined ? {} : { pays });
  expect([mentionsOf(listing), missingDutiesOf(listing)]).toEqual([[], []]);
});
