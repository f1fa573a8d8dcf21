import { type EnergyFigure, isRental, type Listing, type ListingField } from '@passerelle/domain';
import { fixtureListings } from '../../../../../test/support/targets/fixture-listings';
import { type Differences, roundTripProblems } from '../../../../../test/support/targets/round-trip';
import { textsFor } from '../../kit/languages';
import { positionOf } from '../../kit/place';
import { toLatin1 } from '../../kit/latin1';
import { cutText } from '../../kit/text';
import { heatingCode } from './details';
import { CONDITION_RANKS, LANGUAGES, OFFERS, ORIENTATIONS, VIEW_RANKS } from './lookups';
import { feesOfSale } from './offer';
import { technicalId } from './row';
import { target } from './target';

/** Adds the needs of every advert that a fixture lacks. */
function fit(listing: Listing): Listing {
  const { typeTransaction, prixCurrency = 'EUR', codePostal = '' } = listing;
  const isKnown = typeTransaction !== undefined && OFFERS.includes(typeTransaction);
  const fitted: Listing = {
    ...{
      ville: 'Bourg-Fictif',
      typeCode: 'maison',
      surfaceHabitable: 50,
      nbrePieces: 2,
      intitule: 'Titre',
      commentaires: 'Texte',
    },
    ...listing,
    typeTransaction: isKnown ? typeTransaction : 'vente',
    prixCurrency: prixCurrency === 'EUR' ? prixCurrency : 'EUR',
    codePostal: /^\w{4,5}$/.test(codePostal) ? codePostal : '01000',
  };
  if (isRental(fitted.typeTransaction!)) fitted.loyer ??= 900;
  else fitted.prix ??= 250_000;
  delete fitted.prixSurDemande;
  if (fitted.statut === 'vendu' || fitted.statut === 'loue') delete fitted.statut;
  return fitted;
}

const isRent = ({ typeTransaction }: Listing): boolean => isRental(typeTransaction!);
const none = (): undefined => undefined;
const onlyTrue = (field: ListingField) => (listing: Listing) => listing[field] === true || undefined;
/** Quotation marks and separators have substitutes, and texts have a greatest length. */
const cell = (text: string | undefined, most: number): string | undefined =>
  text === undefined ? undefined : cutText(text.replaceAll('"', "'").replaceAll('!#', '! #'), most);
const language = ({ langue = 'fr' }: Listing): string => langue;
const parkingOf = (listing: Listing): number | undefined =>
  listing.nbreParkings ?? (listing.parking === true ? 1 : undefined);

/** Why our own reader finds something else in these fields, and what. */
const DIFFERENCES: Differences = {
  affNum: { why: 'required, at most 20 characters', reads: ({ affNum, affId }) => cell(affNum ?? affId, 20) },
  intitule: { why: 'at most 64 characters', reads: (one) => cell(textsFor(one, language(one)).intitule, 64) },
  commentaires: { why: 'no quotation marks', reads: (one) => cell(textsFor(one, language(one)).commentaires, 4000) },
  langue: { why: 'the main texts have no rank for their language: it is French', reads: () => 'fr' },
  textes: {
    why: 'six further languages, at most three of them',
    reads({ langue, textes = {} }) {
      const found = LANGUAGES.filter((one) => one !== (langue ?? 'fr') && textes[one] !== undefined).slice(0, 3);
      return found.length === 0 ? undefined : Object.fromEntries([...found].sort().map((one) => [one, textes[one]]));
    },
    as: (texts: Record<string, unknown>) => Object.fromEntries(Object.entries(texts).sort()),
  },
  loyer: {
    why: 'the rent is with charges; only rentals have one',
    reads: (one) => (isRent(one) ? (one.loyerChargesComprises ?? one.loyer) : undefined),
  },
  prix: { why: 'an advert has one amount', reads: (one) => (isRent(one) ? undefined : one.prix) },
  loyerSource: {
    why: 'rank 11 is the monthly rent: the amount of another period is read only without it',
    reads: none,
  },
  loyerHorsCharges: {
    why: 'one amount, which is with or without charges',
    reads: (one) =>
      isRent(one) && one.loyerChargesComprises === undefined && one.loyerHorsCharges === one.loyer
        ? one.loyer
        : undefined,
  },
  loyerChargesComprises: { why: 'only rentals', reads: (one) => (isRent(one) ? one.loyerChargesComprises : undefined) },
  charges: { why: 'only rentals', reads: (one) => (isRent(one) ? one.charges : undefined) },
  depotGarantie: { why: 'only rentals', reads: (one) => (isRent(one) ? one.depotGarantie : undefined) },
  chargesModalite: {
    why: 'three words',
    reads: ({ chargesModalite }) => (chargesModalite === 'forfait' ? undefined : chargesModalite),
  },
  prixMention: {
    why: 'two words',
    reads: ({ prixMention }) => (/^(?:Prix hors taxes|Loyer HT)$/.test(prixMention ?? '') ? prixMention : undefined),
  },
  honoraires: {
    why: 'a share for sales, an amount for rentals',
    reads: (one) => (isRent(one) ? one.honoraires : feesOfSale(one)),
  },
  honorairesUnite: {
    why: 'as the fees',
    reads: (one) => (one.honoraires === undefined ? undefined : isRent(one) ? 'montant' : 'pourcentage'),
  },
  honorairesCharge: { why: 'of sales', reads: (one) => (isRent(one) ? undefined : one.honorairesCharge) },
  surfaceHabitable: {
    why: 'a plot has no living area',
    reads: (one) => (one.typeCode === 'terrain' ? undefined : one.surfaceHabitable),
  },
  nbrePieces: { why: 'whole numbers', reads: ({ nbrePieces }) => Math.floor(nbrePieces!) },
  pays: { why: 'an empty rank means France', reads: ({ pays = 'FR' }) => pays },
  codePostal: {
    why: 'as France writes it, where no country is known',
    reads: ({ pays, codePostal }) => (pays === undefined ? codePostal?.padStart(5, '0') : codePostal),
  },
  latitude: { why: 'two decimals without an address', reads: (one) => positionOf(one)?.latitude },
  longitude: { why: 'two decimals without an address', reads: (one) => positionOf(one)?.longitude },
  agenceNom: { why: 'not in the file: a setting of the connector', reads: none },
  agenceTel: { why: 'one contact', reads: none },
  negoNom: { why: 'one contact', reads: ({ negoNom, agenceNom }) => negoNom ?? agenceNom },
  negoTel: {
    why: 'ten digits',
    reads({ negoTel, agenceTel }) {
      const digits = (negoTel ?? agenceTel)?.replace(/^\+33/, '0').replace(/[^\d+]/g, '');
      return digits === undefined || digits.length > 10 ? undefined : digits;
    },
  },
  balcon: { why: 'a number: none does not mean no', reads: onlyTrue('balcon') },
  parking: { why: 'a number: none does not mean no', reads: (one) => parkingOf(one) !== undefined || undefined },
  nbreParkings: { why: 'at least one, where there is parking', reads: parkingOf },
  parkingType: {
    why: 'spaces or garages',
    reads: (one) =>
      parkingOf(one) === undefined
        ? undefined
        : /\b(?:box|garages?)\b/i.test(one.parkingType ?? '')
          ? 'box'
          : 'parking',
  },
  cuisineEquipee: { why: 'kinds of kitchens', reads: onlyTrue('cuisineEquipee') },
  chauffageType: { why: 'one code', reads: heatingWords },
  chauffageEnergie: {
    why: 'one code',
    reads: (one) => ({ 512: 'gaz', 1024: 'fuel', 2048: 'électrique' })[(heatingCode(one) ?? 0) & 3584],
  },
  etat: {
    why: 'three words',
    reads: ({ etat }) =>
      etat
        ?.split(', ')
        .filter((word) => Object.hasOwn(CONDITION_RANKS, word))
        .join(', '),
  },
  vue: { why: 'two words', reads: ({ vue }) => (Object.hasOwn(VIEW_RANKS, vue ?? '') ? vue : undefined) },
  exposition: {
    why: 'four flags',
    reads: ({ exposition = '' }) =>
      ['sud', 'est', 'ouest', 'nord'].filter((_, at) => ORIENTATIONS[at]!.pattern.test(exposition)).join(', '),
  },
  caracteristiques: { why: 'flags come first', as: (words: string[]) => [...words].sort() },
  energie: {
    why: 'a letter and a whole number for energy and for emissions, a number for final energy',
    reads: ({ energie = [], dpeEnergieFinale }) =>
      energie.filter(({ grandeur }) =>
        grandeur === 'energie-finale'
          ? dpeEnergieFinale !== undefined
          : grandeur === 'energie-primaire' || grandeur === 'emissions',
      ),
    as: figures,
  },
  dpeAnneeReference: {
    why: 'a date from version 4.10 on',
    reads: ({ dpeAnneeReference: at }) => (at?.length === 4 ? `${at}-01-01` : at),
  },
};

function heatingWords(listing: Listing): string | undefined {
  const code = heatingCode(listing) ?? 0;
  if (code === 16384) return 'climatisation réversible';
  const emission = ['', 'radiateur', 'sol', 'mixte'][(code & 384) / 128]!;
  return [code & 4096 ? 'collectif' : '', code & 8192 ? 'individuel' : '', emission]
    .filter((word) => word !== '')
    .join(' ');
}

function figures(all: EnergyFigure[]): unknown {
  const carried = all.flatMap(({ grandeur, classe = '', valeur, statut }) => {
    const letter = classe.length <= 2 ? classe : '';
    const state = letter === '' && statut !== undefined ? (statut === 'non-soumis' ? statut : 'vierge') : undefined;
    const whole = valeur === undefined || Math.round(valeur) <= 0 ? undefined : Math.round(valeur);
    return letter === '' && state === undefined && whole === undefined ? [] : [[grandeur, letter, state, whole]];
  });
  return carried.length === 0 ? undefined : carried;
}

describe('Poliris round trip', () => {
  it('gives the same listing for every field of the format', async () => {
    const problems = await roundTripProblems({
      ...{ target, connector: 'poliris', listings: fixtureListings(), differences: DIFFERENCES, fit },
      placement: { settings: { encoding: 'utf-8' } },
      surroundings: () => ({ settings: { 'publier-adresse': 'oui' } }),
      affIdOf: ({ affId }) => technicalId(affId),
    });
    expect(problems).toEqual([]);
  });

  it('gives the same listing in ISO 8859-1, with the substitutes for characters that it lacks', async () => {
    const problems = await roundTripProblems({
      ...{ target, connector: 'poliris', listings: fixtureListings().map(inLatin1), differences: DIFFERENCES, fit },
      surroundings: () => ({ settings: { 'publier-adresse': 'oui' } }),
      affIdOf: ({ affId }) => technicalId(affId),
    });
    expect(problems).toEqual([]);
  });
});

function inLatin1(listing: Listing): Listing {
  return JSON.parse(JSON.stringify(listing), (_name, value: unknown) =>
    typeof value === 'string' && !value.startsWith('http') ? toLatin1(value).trim() : value,
  ) as Listing;
}
