import type { EnergyFigure, Listing, ListingField } from '@passerelle/domain';
import { fixtureListings } from '../../../../../test/support/targets/fixture-listings';
import { PUBLISHED_AT_MS } from '../../../../../test/support/targets/placements';
import { type Differences, roundTripProblems } from '../../../../../test/support/targets/round-trip';
import { target } from './target';

const none = (): undefined => undefined;
const onlyTrue = (field: ListingField) => (listing: Listing) => listing[field] === true || undefined;
const isRent = ({ typeTransaction, prix, loyer }: Listing): boolean =>
  typeTransaction === 'location' ||
  typeTransaction === 'location-saisonniere' ||
  (typeTransaction !== 'viager' && prix === undefined && loyer !== undefined);
const whole = (value: number | undefined): number | undefined => (value === undefined ? undefined : Math.round(value));
const weekly = ({ loyerSource }: Listing): typeof loyerSource =>
  loyerSource?.periode === 'semaine' ? loyerSource : undefined;
const FEATURE_WORDS = 'a word, where it is so: the format cannot say no';

/** Why our own reader finds something else in these fields, and what. */
const DIFFERENCES: Differences = {
  affNum: { why: 'required', reads: ({ affNum, affId }) => affNum ?? affId },
  intitule: {
    why: 'our reader builds a title, where there is none',
    reads: ({ intitule, typeCode = 'autre', nbreChambres, ville }) =>
      intitule ?? builtTitle(typeCode, nbreChambres, ville),
  },
  textes: {
    why: 'texts without a language are in that of the address, which replaces the text in this language',
    reads: ({ langue, textes }) => (langue === undefined && textes?.['fr'] !== undefined ? undefined : textes),
  },
  typeTransaction: { why: 'a sale or a rental', reads: (one) => (isRent(one) ? 'location' : 'vente') },
  typeCode: { why: 'required', reads: ({ typeCode = 'autre' }) => typeCode },
  prix: {
    why: 'whole numbers; a life annuity has none',
    reads: (one) => (isRent(one) || one.typeTransaction === 'viager' ? undefined : whole(one.prix)),
  },
  loyer: {
    why: 'whole numbers, per week or month',
    reads(one) {
      const week = weekly(one);
      if (!isRent(one) || one.loyer === undefined) return undefined;
      return week === undefined ? whole(one.loyer) : Math.round(((Math.round(week.montant) * 52) / 12) * 100) / 100;
    },
  },
  loyerSource: {
    why: 'weeks',
    reads(one) {
      const week = weekly(one);
      return week === undefined || !isRent(one) ? undefined : { montant: Math.round(week.montant), periode: 'semaine' };
    },
  },
  prixCurrency: { why: 'required', reads: ({ prixCurrency = 'EUR' }) => prixCurrency },
  surfaceHabitable: {
    why: 'whole numbers; a plot has none',
    reads: (one) => (one.typeCode === 'terrain' ? undefined : whole(one.surfaceHabitable)),
  },
  surfaceTerrain: { why: 'whole numbers', reads: ({ surfaceTerrain }) => whole(surfaceTerrain) },
  nbreChambres: { why: 'whole numbers', reads: ({ nbreChambres }) => whole(nbreChambres) },
  nbreSallesDeBain: { why: 'all bathrooms', reads: (one) => whole(one.nbreSallesDeBain ?? one.nbreSallesEau) },
  nbreSallesEau: { why: 'all bathrooms', reads: none },
  pays: { why: 'no country means Spain', reads: ({ pays = 'ES' }) => pays },
  codePostal: {
    why: 'as Spain writes it',
    reads: ({ pays, codePostal }) => (pays === undefined ? codePostal?.padStart(5, '0') : codePostal),
  },
  piscine: { why: 'none may mean that it is unknown', reads: onlyTrue('piscine') },
  meuble: { why: FEATURE_WORDS, reads: onlyTrue('meuble') },
  balcon: { why: FEATURE_WORDS, reads: onlyTrue('balcon') },
  terrasse: { why: FEATURE_WORDS, reads: onlyTrue('terrasse') },
  parking: { why: FEATURE_WORDS, reads: onlyTrue('parking') },
  ascenseur: { why: FEATURE_WORDS, reads: onlyTrue('ascenseur') },
  bouquet: { why: 'words for people', reads: none },
  rente: { why: 'words for people', reads: none },
  energie: {
    why: 'a letter from A to G for energy and one for emissions',
    as: (figures: EnergyFigure[]) => {
      const letters = figures.flatMap(({ grandeur, classe = '' }) =>
        /^[A-G]$/.test(classe) && (grandeur === 'energie-primaire' || grandeur === 'emissions')
          ? [[grandeur, classe]]
          : [],
      );
      return letters.length === 0 ? undefined : letters;
    },
  },
  dpeClasse: { why: 'letters', reads: ({ dpeClasse = '' }) => (/^[A-G]$/.test(dpeClasse) ? dpeClasse : undefined) },
  gesClasse: { why: 'letters', reads: ({ gesClasse = '' }) => (/^[A-G]$/.test(gesClasse) ? gesClasse : undefined) },
  dateModification: {
    why: 'a time without a zone; the first publication, where the CRM has none',
    reads: ({ dateModification: date }) =>
      new Date(Date.parse(date ?? '') || PUBLISHED_AT_MS).toISOString().slice(0, 19),
  },
};

function builtTitle(typeCode: string, chambres: number | undefined, ville: string | undefined): string {
  const rooms = chambres === undefined ? '' : ` ${chambres} ${chambres > 1 ? 'chambres' : 'chambre'}`;
  return `${typeCode === 'maison' ? 'Maison' : typeCode === 'appartement' ? 'Appartement' : 'Other'}${rooms}${ville === undefined ? '' : ` à ${ville}`}`;
}

it('Kyero round trip gives the same listing for every field of the format', async () => {
  const problems = await roundTripProblems({
    ...{ target, connector: 'kyero', listings: fixtureListings(), differences: DIFFERENCES },
    surroundings: (langue) => ({ settings: { langue } }),
  });
  expect(problems).toEqual([]);
});
