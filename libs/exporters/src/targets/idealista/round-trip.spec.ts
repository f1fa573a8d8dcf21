import type { EnergyFigure, LanguageTexts, Link, Listing, ListingField, Photo } from '@passerelle/domain';
import { fixtureListings } from '../../../../../test/support/targets/fixture-listings';
import { contextFor, itemOf } from '../../../../../test/support/targets/placements';
import { type Difference, type Differences, roundTripProblems } from '../../../../../test/support/targets/round-trip';
import { textsByLanguage } from '../../kit/languages';
import { positionOf } from '../../kit/place';
import { bathroomsOf, builtArea, directionsOf, heatingOf } from './features';
import { COUNTRIES, FLAGS, LANGUAGES, MEMBERS_BY_TYPE, OFFERS, SCALES, SUPPORTED_TYPES } from './lookups';
import { phoneOf, propertyCode } from './mapping';
import { target } from './target';

/** Adds the needs of every property that a fixture lacks. */
function fit(listing: Listing): Listing {
  const { typeTransaction, typeCode, codePostal = '', pays } = listing;
  const isServed = pays !== undefined && COUNTRIES[pays] !== undefined;
  const fitted: Listing = {
    ...{ ville: 'Villaficticia', prix: 250_000, loyer: 900, surfaceHabitable: 80, surfaceTerrain: 500, nbrePieces: 3 },
    nbreSallesDeBain: 1,
    ...listing,
    ...{ prixCurrency: 'EUR', pays: isServed ? pays : 'ES' },
    codePostal: isServed && /^(?:\d{5}|AD\d{3}|\d{4}(?:-\d{3})?)$/.test(codePostal) ? codePostal : '28999',
    typeTransaction: typeTransaction !== undefined && OFFERS.includes(typeTransaction) ? typeTransaction : 'vente',
    typeCode: typeCode !== undefined && SUPPORTED_TYPES.includes(typeCode) ? typeCode : 'maison',
  };
  if (!isServed) {
    delete fitted.latitude;
    delete fitted.longitude;
  }
  if (fitted.statut === 'vendu' || fitted.statut === 'loue') delete fitted.statut;
  return fitted;
}

const none = (): undefined => undefined;
const has = ({ typeCode }: Listing, member: string): boolean => MEMBERS_BY_TYPE.get(typeCode!)!.has(member);
/** A field that the schema has for some kinds of property only. */
const ofKind = (field: ListingField, member: string): Difference => ({
  why: 'of some kinds of property',
  reads: (listing) => (has(listing, member) ? listing[field] : undefined),
});
const whole = (value: number | undefined): number | undefined => (value === undefined ? undefined : Math.round(value));
const floor = (value: number | undefined): number | undefined =>
  value === undefined || value < 1 ? undefined : Math.floor(value);
const isRent = ({ typeTransaction }: Listing): boolean => typeTransaction !== 'vente';
const built = (one: Listing): number | undefined => (has(one, 'AreaConstructed') ? builtArea(one) : undefined);
const usable = (one: Listing): number | undefined =>
  has(one, 'AreaUsable')
    ? whole(one.surfaceUtile ?? (one.surfaceTotale === undefined ? undefined : one.surfaceHabitable))
    : undefined;
const phone = (one: Listing): string | undefined => {
  const { prefix, number } = phoneOf(one.negoTel ?? one.agenceTel);
  return number === undefined || prefix === undefined ? number : `+${prefix} ${number}`;
};
const heating = (listing: Listing): string => (has(listing, 'HeatingType') ? (heatingOf(listing) ?? '') : '');
const descriptions = (one: Listing): [string, string][] =>
  textsByLanguage(one, 'fr').flatMap(([code, { commentaires }]): [string, string][] =>
    commentaires === undefined || LANGUAGES[code] === undefined ? [] : [[code, commentaires]],
  );

/** Why our own reader finds something else in these fields, and what. */
const DIFFERENCES: Differences = {
  commentaires: { why: 'fifteen languages', reads: (one) => descriptions(one)[0]?.[1] },
  langue: { why: 'the language of the description', reads: (one) => descriptions(one)[0]?.[0] },
  textes: {
    why: 'descriptions only: our reader builds titles',
    reads: (one) =>
      Object.fromEntries(
        descriptions(one)
          .slice(1)
          .map(([code, commentaires]) => [code, { commentaires }]),
      ),
    as(texts: Record<string, LanguageTexts>) {
      const found = Object.entries(texts).filter(([, { commentaires }]) => commentaires !== undefined);
      return found.length === 0 ? undefined : found.map(([code, { commentaires }]) => [code, commentaires]).sort();
    },
  },
  typeCode: {
    why: 'no words for shops, businesses, lofts and town mansions',
    reads: ({ typeCode }) =>
      ({ boutique: 'local', fonds: 'local', loft: 'appartement', 'hotel-particulier': 'maison' })[typeCode as string] ??
      typeCode,
  },
  prix: {
    why: 'whole numbers, one operation',
    reads: (one) => (one.typeTransaction === 'location' ? undefined : whole(one.prix)),
  },
  loyer: { why: 'whole numbers, one operation', reads: (one) => (isRent(one) ? whole(one.loyer) : undefined) },
  depotGarantie: {
    why: 'whole months',
    reads(one) {
      const months = (one.depotGarantie ?? NaN) / one.loyer!;
      return isRent(one) && Number.isInteger(months) && months <= 12 ? months * whole(one.loyer)! : undefined;
    },
  },
  fraisCommunaute: {
    why: 'whole numbers, no period, of a sale',
    reads: (one) =>
      isRent(one) || one.fraisCommunaute === undefined ? undefined : { montant: whole(one.fraisCommunaute.montant) },
  },
  surfaceHabitable: { why: 'usable, else built; whole numbers', reads: (one) => usable(one) ?? built(one) },
  surfaceTotale: { why: 'the living area, where there is no other', reads: built },
  surfaceUtile: { why: 'the living area, where the built area is known', reads: usable },
  surfaceTerrain: {
    why: 'whole numbers',
    reads: (one) => (has(one, 'AreaPlot') ? whole(one.surfaceTerrain) : undefined),
  },
  nbrePieces: {
    why: 'whole numbers; a studio has one',
    reads: (one) => (has(one, 'Rooms') ? floor(one.nbrePieces) : undefined),
  },
  nbreChambres: {
    why: 'whole numbers',
    reads: (one) => (has(one, 'BedroomNumber') ? floor(one.nbreChambres) : undefined),
  },
  nbreSallesDeBain: {
    why: 'all bathrooms',
    reads: (one) => (has(one, 'BathroomNumber') ? bathroomsOf(one) : undefined),
  },
  nbreSallesEau: { why: 'all bathrooms', reads: none },
  latitude: { why: 'two decimals without an address', reads: (one) => positionOf(one)?.latitude },
  longitude: { why: 'two decimals without an address', reads: (one) => positionOf(one)?.longitude },
  photos: { why: 'no captions', as: (photos: Photo[]) => photos.map(({ url }) => url) },
  plans: { why: 'no titles', as: (plans: Link[]) => plans.map(({ url }) => url) },
  agenceNom: { why: 'the name of the customer', reads: none },
  agenceTel: { why: 'the contact of the customer', reads: none },
  negoNom: { why: 'one contact', reads: ({ negoNom, agenceNom }) => negoNom ?? agenceNom },
  negoTel: { why: 'digits, with the prefix of the country', reads: phone },
  negoEmail: {
    why: 'a short last part',
    reads: ({ negoEmail = '' }) => (/\.[a-z]{2,5}$/.test(negoEmail) ? negoEmail : undefined),
  },
  anneeConstruction: ofKind('anneeConstruction', 'BuiltYear'),
  nbreEtages: ofKind('nbreEtages', 'FloorsBuilding'),
  nbreParkings: ofKind('nbreParkings', 'ParkingSpacesNumber'),
  parking: {
    why: 'of homes; a number of spaces means yes',
    reads: (one) =>
      has(one, 'ParkingAvailable')
        ? one.parking
        : has(one, 'ParkingSpacesNumber') && one.nbreParkings !== undefined
          ? true
          : undefined,
  },
  balcon: ofKind('balcon', 'Balcony'),
  terrasse: ofKind('terrasse', 'Terrace'),
  piscine: ofKind('piscine', 'Pool'),
  cheminee: ofKind('cheminee', 'Chimney'),
  ascenseur: ofKind('ascenseur', 'LiftAvailable'),
  climatisation: ofKind('climatisation', 'ConditionedAir'),
  jardin: ofKind('jardin', 'Garden'),
  cuisineEquipee: ofKind('cuisineEquipee', 'EquippedKitchen'),
  meuble: ofKind('meuble', 'EquippedWithFurniture'),
  animaux: ofKind('animaux', 'PetsAllowed'),
  loue: ofKind('loue', 'PropertyTenants'),
  accessible: {
    why: 'of homes: no does not mean no',
    reads: (one) => (has(one, 'HandicapAdaptedAccess') && one.accessible === true) || undefined,
  },
  etat: {
    why: 'two words',
    reads: (one) =>
      !has(one, 'Conservation')
        ? undefined
        : /^bon état$/i.test(one.etat ?? '')
          ? 'Bon état'
          : /^à rénover$|para reformar|da ristrutturare/i.test(one.etat ?? '')
            ? 'À rénover'
            : undefined,
  },
  chauffageType: { why: 'two words', reads: (one) => ({ c: 'Collectif', i: 'Individuel' })[heating(one).charAt(0)] },
  chauffageEnergie: {
    why: 'five words',
    reads: (one) =>
      ({
        Gas: 'Gaz',
        FuelOil: 'Fioul',
        PropaneButane: 'Propane ou butane',
        Electric: 'Électricité',
        AirConditioningHeatPump: 'Pompe à chaleur',
      })[heating(one).replace(/^(?:central|individual)/, '')],
  },
  exposition: {
    why: 'four flags',
    reads: (one) =>
      has(one, 'OrientationNorth')
        ? directionsOf(one.exposition)
            .map((name) => ({ N: 'Nord', E: 'Est', S: 'Sud', W: 'Ouest' })[name.charAt('Orientation'.length)])
            .join(', ')
        : undefined,
  },
  caracteristiques: {
    why: 'flags of the format',
    reads: (one) => {
      const words = (one.caracteristiques ?? []).filter((word) => Object.hasOwn(FLAGS, word) && has(one, FLAGS[word]!));
      return words.length === 0 ? undefined : words;
    },
    as: (words: string[]) => [...words].sort(),
  },
  energie: {
    why: 'energy, on the scales of the countries that the format serves',
    reads: (one) =>
      has(one, 'EnergyCertificateRating')
        ? one.energie?.filter(({ grandeur, echelle }) => grandeur === 'energie-primaire' && SCALES.has(echelle))
        : undefined,
    as(figures: EnergyFigure[]) {
      const found = figures.map(({ classe, valeur, statut }) => [
        classe,
        statut === 'vierge' ? undefined : statut,
        statut === undefined && (valeur ?? 0) < 1000 ? valeur : undefined,
      ]);
      const carried = found.filter((parts) => parts.some((part) => part !== undefined));
      return carried.length === 0 ? undefined : carried;
    },
  },
};

it('idealista round trip gives the same listing for every field of the format', async () => {
  const problems = await roundTripProblems({
    ...{ target, connector: 'idealista', listings: fixtureListings(), differences: DIFFERENCES, fit },
    placement: { settings: { code: 'ilc0000' } },
    surroundings: (langue) => ({ settings: { langue } }),
    affIdOf: ({ affId }) => propertyCode(affId),
  });
  expect(problems).toEqual([]);
});

/** The rules of the public schema, as facts: patterns and limits of the members that the target writes. */
const RULES: Readonly<Record<string, RegExp>> = {
  operationType: /^(?:rent|sale)$/,
  operationPrice: /^[1-9]\d{0,7}$/,
  operationPriceTransfer: /^[1-9]\d{0,7}$/,
  operationDepositMonths: /^(?:\d|1[0-2])$/,
  addressVisibility: /^(?:full|street|hidden)$/,
  addressFloor: /^(?:-[12]|[1-9]|[1-5]\d|60|bj|en|ss|st)$/,
  addressPostalCode: /^(?:\d{5}|AD\d{3}|\d{4}(?:-\d{3})?)$/,
  addressCoordinatesPrecision: /^(?:exact|moved)$/,
  addressUrbanization: /^.{1,50}$/,
  addressTown: /^.{1,50}$/,
  propertyCode: /^.{1,50}$/,
  propertyReference: /^.{1,50}$/,
  contactName: /^.{1,60}$/,
  contactEmail: /^[\w.-]+@(?:[\w-]+\.)+[a-zA-Z]{2,5}$/,
  contactPrimaryPhonePrefix: /^[1-9]\d{0,2}$/,
  contactPrimaryPhoneNumber: /^\d{5,12}$/,
  descriptionText: /^[\s\S]{1,4000}$/,
  imageOrder: /^(?:[1-9]|[1-9]\d|1\d\d|200)$/,
  imageUrl: /^https?:\/\//,
  featuresAreaConstructed: /^[1-9]\d{0,4}$/,
  featuresAreaUsable: /^[1-9]\d{0,4}$/,
  featuresAreaPlot: /^[1-9]\d{0,7}$/,
  featuresRooms: /^[1-9]\d?$/,
  featuresBedroomNumber: /^[1-9]\d?$/,
  featuresBathroomNumber: /^[1-9]\d?$/,
  featuresFloorsBuilding: /^[1-9]\d?$/,
  featuresParkingSpacesNumber: /^[1-9]\d?$/,
  featuresBuiltYear: /^(?:1[7-9]\d\d|20\d\d|2100)$/,
  featuresEnergyCertificateRating: /^(?:A[+1-4]?|B-?|[C-G]|exempt|inProcess)$/,
};

it('idealista property keeps the patterns and limits of the public schema', () => {
  const problems: string[] = [];
  const context = contextFor(target, { settings: { code: 'ilc0000' } });
  for (const listing of fixtureListings().map(fit)) {
    JSON.parse(target.advert(itemOf(listing), context), (name, value: unknown) => {
      const rule = RULES[name];
      if (rule !== undefined && !rule.test(String(value))) problems.push(`${listing.affId}: ${name} ${String(value)}`);
      return value;
    });
  }
  expect(problems).toEqual([]);
});
