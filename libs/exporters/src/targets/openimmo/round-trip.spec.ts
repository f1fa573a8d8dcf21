import {
  ENERGY_SCALES,
  type EnergyFigure,
  isRental,
  type LanguageTexts,
  type Listing,
  type ListingField,
  type PeriodicAmount,
} from '@passerelle/domain';
import { fixtureListings } from '../../../../../test/support/targets/fixture-listings';
import { PUBLISHED_AT_MS } from '../../../../../test/support/targets/placements';
import { type Differences, roundTripProblems } from '../../../../../test/support/targets/round-trip';
import { textsFor } from '../../kit/languages';
import { bathroomsOf, parkingKinds } from './details';
import {
  CONDITIONS,
  FEATURES,
  HEAT_SOURCES,
  HEATING_KINDS,
  HOLIDAY_KINDS,
  OFFERS,
  ORIENTATIONS,
  VIEWS,
  wordsOf,
} from './lookups';
import { periodOf, rentParts } from './offer';
import { target } from './target';

/** Adds the needs of every object that a fixture lacks. */
function fit(listing: Listing): Listing {
  const { typeTransaction } = listing;
  const fitted: Listing = {
    ...{
      ville: 'Fiktivstadt',
      codePostal: '01067',
      pays: 'DE',
      prixCurrency: 'EUR',
      typeCode: 'maison',
      intitule: 'Titel',
    },
    ...listing,
    typeTransaction: typeTransaction !== undefined && OFFERS.includes(typeTransaction) ? typeTransaction : 'vente',
  };
  if (listing.pays === undefined) fitted.codePostal = '01067';
  if (isRental(fitted.typeTransaction!)) {
    fitted.loyer ??= 900;
    delete fitted.prixSurDemande;
  } else if (fitted.prix === undefined) fitted.prixSurDemande = true;
  if (fitted.statut === 'vendu' || fitted.statut === 'loue') delete fitted.statut;
  return fitted;
}

const FIRM = 'Agence Fictive';
const none = (): undefined => undefined;
const onlyTrue = (field: ListingField) => (listing: Listing) => listing[field] === true || undefined;
const isRent = ({ typeTransaction }: Listing): boolean => isRental(typeTransaction!);
const ofSale = (field: ListingField) => (listing: Listing) => (isRent(listing) ? undefined : listing[field]);
const attributes = (words: readonly string[]): string | undefined =>
  words.length === 0 ? undefined : words.join(', ');
const condition = ({ etat = '' }: Listing): string | undefined =>
  CONDITIONS.has(etat.toUpperCase()) ? etat.toUpperCase() : undefined;
const spaces = (listing: Listing): number | undefined =>
  listing.nbreParkings ?? (listing.parking === true && parkingKinds(listing).length === 0 ? 1 : undefined);
/** The fee in words; a bare share is one of them. */
const courtage = ({ honorairesCharge, commission, honoraires, honorairesUnite }: Listing): string | undefined =>
  honorairesCharge === 'vendeur'
    ? undefined
    : (commission ?? (honorairesUnite === 'pourcentage' ? `${honoraires} %` : undefined));
const TWO_DECIMALS = 'hidden without an address, like the street';

/** Why our own reader finds something else in these fields, and what. */
const DIFFERENCES: Differences = {
  affNum: { why: 'required', reads: ({ affNum, affId }) => affNum ?? affId },
  intitule: { why: 'the placement has one language', reads: (one) => textsFor(one, language(one)).intitule },
  commentaires: { why: 'the placement has one language', reads: (one) => textsFor(one, language(one)).commentaires },
  langue: { why: 'the placement has one language', reads: (one) => textsFor(one, language(one)).language },
  textes: {
    why: 'descriptions only: our reader builds titles',
    reads: ({ langue, textes = {} }) => (langue === undefined ? undefined : textes),
    as(texts: Record<string, LanguageTexts>) {
      const found = Object.entries(texts).filter(([, { commentaires }]) => commentaires !== undefined);
      return found.length === 0 ? undefined : found.map(([code, { commentaires }]) => [code, commentaires]);
    },
  },
  typeTransaction: {
    why: 'a building is an investment; seasons are those of holiday homes',
    reads: ({ typeTransaction, typeCode }) =>
      typeCode === 'immeuble' && typeTransaction === 'vente'
        ? 'investissement'
        : typeTransaction === 'location-saisonniere' && HOLIDAY_KINDS[typeCode!] === undefined
          ? 'location'
          : typeTransaction,
  },
  typeCode: {
    why: 'no words for premises, businesses and town mansions',
    reads: ({ typeCode }) =>
      ({ local: 'autre', fonds: 'autre', 'hotel-particulier': 'maison' })[typeCode as string] ?? typeCode,
  },
  prix: { why: 'an object has one offer', reads: ofSale('prix') },
  loyer: {
    why: 'with charges, as far as the listing says',
    reads(one) {
      if (!isRent(one)) return undefined;
      if (periodOf(one) !== undefined) return one.loyer;
      const { cold, warm } = rentParts(one);
      return warm ?? Math.round((cold! + (one.charges ?? one.chargesChauffage ?? 0)) * 100) / 100;
    },
  },
  loyerSource: {
    why: 'days, weeks and years, of a rent without parts',
    reads: (one) => (isRent(one) && periodOf(one) !== undefined ? one.loyerSource : undefined),
  },
  loyerHorsCharges: {
    why: 'a rent that says nothing is the cold one',
    reads: (one) => (isRent(one) ? (periodOf(one) === undefined ? rentParts(one).cold : one.loyer) : undefined),
  },
  loyerChargesComprises: {
    why: 'a rent with charges beside it is the warm one',
    reads: (one) => (isRent(one) ? rentParts(one).warm : undefined),
  },
  charges: {
    why: 'heating may be all of the charges',
    reads: (one) => one.charges ?? (isRent(one) ? one.chargesChauffage : undefined),
  },
  chargesChauffage: { why: 'of a rental', reads: (one) => (isRent(one) ? one.chargesChauffage : undefined) },
  prixMetreCarre: {
    why: 'of a sale',
    reads: (one) => (one.prixSurDemande === true ? undefined : ofSale('prixMetreCarre')(one)),
  },
  honoraires: {
    why: 'what the seller pays is not in the advert; a fee in words has a share',
    reads: (one) => shareIn(courtage(one)) ?? (one.honorairesCharge === 'vendeur' ? undefined : one.honoraires),
  },
  honorairesUnite: {
    why: 'as the fee',
    reads: (one) =>
      shareIn(courtage(one)) !== undefined
        ? 'pourcentage'
        : one.honorairesCharge === 'vendeur'
          ? undefined
          : one.honorairesUnite,
  },
  honorairesCharge: {
    why: 'the buyer or the tenant',
    reads: (one) =>
      one.honorairesCharge === 'vendeur' || (one.honoraires ?? shareIn(courtage(one))) === undefined
        ? undefined
        : isRent(one)
          ? 'locataire'
          : 'acquereur',
  },
  commission: { why: 'the share, where there are no words', reads: courtage },
  coproCharges: { why: 'per month, in cents', as: (yearly: number) => Math.round(yearly) },
  redevanceFonciere: { why: 'no period', as: ({ montant }: PeriodicAmount) => montant },
  statut: { why: 'reserved', reads: ({ statut }) => (statut === undefined ? undefined : 'sous-offre') },
  surfaceHabitable: {
    why: 'a plot has none',
    reads: (one) => (one.typeCode === 'terrain' ? undefined : one.surfaceHabitable),
  },
  surfaceTotale: {
    why: 'that of a plot is the plot',
    reads: (one) => (one.typeCode === 'terrain' ? undefined : one.surfaceTotale),
  },
  nbreSallesDeBain: { why: 'all bathrooms', reads: bathroomsOf },
  nbreSallesEau: { why: 'all bathrooms', reads: none },
  latitude: { why: TWO_DECIMALS, reads: ({ adresse, latitude }) => (adresse === undefined ? undefined : latitude) },
  longitude: { why: TWO_DECIMALS, reads: ({ adresse, longitude }) => (adresse === undefined ? undefined : longitude) },
  agenceNom: { why: 'the agency of the transfer', reads: () => FIRM },
  negoNom: { why: 'required', reads: ({ negoNom, agenceNom }) => negoNom ?? agenceNom ?? FIRM },
  meuble: { why: 'fully or partly', reads: onlyTrue('meuble') },
  neuf: {
    why: 'conditions of new buildings',
    reads: (one) => one.neuf === true || /^(?:ERSTBEZUG|ROHBAU|PROJEKTIERT)$/.test(condition(one) ?? '') || undefined,
  },
  balcon: { why: 'a number: none does not mean no', reads: onlyTrue('balcon') },
  terrasse: { why: 'a number: none does not mean no', reads: onlyTrue('terrasse') },
  nbreParkings: { why: 'at least one, where there is parking', reads: spaces },
  parking: {
    why: 'a number or kinds',
    reads: (one) => spaces(one) !== undefined || parkingKinds(one).length > 0 || undefined,
  },
  parkingType: { why: 'words of the format', reads: (one) => attributes(parkingKinds(one)) },
  chauffageType: { why: 'words of the format', reads: (one) => attributes(wordsOf(one.chauffageType, HEATING_KINDS)) },
  chauffageEnergie: {
    why: 'words of the format',
    reads: (one) => attributes(wordsOf(one.chauffageEnergie, HEAT_SOURCES)),
  },
  exposition: { why: 'words of the format', reads: (one) => attributes(wordsOf(one.exposition, ORIENTATIONS)) },
  etat: { why: 'words of the format', reads: condition },
  vue: {
    why: 'one word of the format',
    reads({ vue }) {
      const words = wordsOf(vue, VIEWS);
      return words.length === 1 ? words[0] : undefined;
    },
  },
  caracteristiques: {
    why: 'features of the format',
    reads({ caracteristiques = [] }) {
      const words = Object.values(FEATURES).filter((word) => caracteristiques.includes(word));
      return words.length === 0 ? undefined : words;
    },
    as: (words: string[]) => [...words].sort(),
  },
  disponibiliteTexte: {
    why: 'words, not a month',
    reads: ({ disponibiliteTexte = '' }) => (/\p{L}/u.test(disponibiliteTexte) ? disponibiliteTexte : undefined),
  },
  loue: { why: 'of a sale', reads: ofSale('loue') },
  regimePropriete: {
    why: 'one word',
    reads: ({ regimePropriete }) => (regimePropriete === 'ERBPACHT' ? regimePropriete : undefined),
  },
  dateModification: {
    why: 'a day',
    reads: ({ dateModification }) => (dateModification ?? new Date(PUBLISHED_AT_MS).toISOString()).slice(0, 10),
  },
  energie: {
    why: 'figures of Germany and Austria, the class of other countries',
    reads: carriedFigures,
    as: (all: EnergyFigure[]) =>
      all.map(({ grandeur, classe, valeur, base, statut }) => [grandeur, classe, valeur, base, statut]),
  },
};

function language({ langue = 'fr' }: Listing): string {
  return langue;
}

function shareIn(text: string | undefined): number | undefined {
  const share = /(\d{1,2}(?:[.,]\d{1,4})?)\s*%/.exec(text ?? '')?.[1];
  return share === undefined ? undefined : Number(share.replace(',', '.'));
}

/** A German value needs its basis; of other countries only the class is carried. */
function carriedFigures({ energie = [], pays }: Listing): EnergyFigure[] | undefined {
  const found = energie.flatMap((figure): EnergyFigure[] => {
    const classed = { ...figure };
    delete classed.valeur;
    if (figure.statut === 'non-soumis') return figure === energie[0] ? [figure] : [];
    if (pays === 'DE')
      return figure.grandeur === 'energie-finale' ? [figure.base === undefined ? classed : figure] : [];
    if (pays === 'AT') return /^(?:besoin-chauffage|facteur-efficacite)$/.test(figure.grandeur) ? [figure] : [];
    const quantities = figure.echelle === undefined ? [] : ENERGY_SCALES[figure.echelle].quantities;
    return figure.classe !== undefined && quantities[0] === figure.grandeur ? [classed] : [];
  });
  return found.length === 0 ? undefined : found;
}

it('OpenImmo round trip gives the same listing for every field of the format', async () => {
  const problems = await roundTripProblems({
    ...{ target, connector: 'openimmo', listings: fixtureListings(), differences: DIFFERENCES, fit },
    placement: { settings: { anid: 'AGENCY-1', firma: FIRM } },
    surroundings: (langue) => ({ settings: { langue } }),
    affIdOf: ({ affId }) => `AGENCY-1-${affId}`,
  });
  expect(problems).toEqual([]);
});
