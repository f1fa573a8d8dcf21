import type { Listing } from '@passerelle/domain';
import { CLASSES, FLAGS, MEMBERS_BY_TYPE, SCALES, TYPES } from './lookups';

type Value = string | number | boolean | undefined;

/** `propertyFeatures`, with the members that the schema has for the kind of property. */
export function featuresOf(listing: Listing): Record<string, Value> {
  const { typeCode = 'autre' } = listing;
  const allowed = MEMBERS_BY_TYPE.get(typeCode) ?? new Set<string>();
  const members = Object.entries({ ...sizes(listing), ...comfort(listing), ...energy(listing), ...words(listing) });
  const given = members.filter(([name, value]) => value !== undefined && allowed.has(name));
  return {
    featuresType: TYPES[typeCode],
    ...Object.fromEntries(given.map(([name, value]) => [`features${name}`, value])),
  };
}

/** The built area, else the living area: the schema requires one. */
export function builtArea({ surfaceTotale, surfaceHabitable }: Listing): number | undefined {
  return whole(surfaceTotale ?? surfaceHabitable);
}

export function bathroomsOf({ nbreSallesDeBain, nbreSallesEau }: Listing): number | undefined {
  return nbreSallesDeBain === undefined && nbreSallesEau === undefined
    ? undefined
    : floor((nbreSallesDeBain ?? 0) + (nbreSallesEau ?? 0));
}

function sizes(listing: Listing): Record<string, Value> {
  const { surfaceTotale, surfaceUtile, surfaceHabitable, anneeConstruction } = listing;
  return {
    AreaConstructed: builtArea(listing),
    AreaUsable: whole(surfaceUtile ?? (surfaceTotale === undefined ? undefined : surfaceHabitable)),
    AreaPlot: whole(listing.surfaceTerrain),
    Rooms: floor(listing.nbrePieces),
    BedroomNumber: floor(listing.nbreChambres),
    BathroomNumber: bathroomsOf(listing),
    FloorsBuilding: listing.nbreEtages,
    ParkingSpacesNumber: listing.nbreParkings,
    BuiltYear:
      anneeConstruction !== undefined && anneeConstruction >= 1700 && anneeConstruction <= 2100
        ? anneeConstruction
        : undefined,
  };
}

function comfort(listing: Listing): Record<string, Value> {
  return {
    ...{ Balcony: listing.balcon, Terrace: listing.terrasse, Pool: listing.piscine, Chimney: listing.cheminee },
    ...{ LiftAvailable: listing.ascenseur, ConditionedAir: listing.climatisation, Garden: listing.jardin },
    ...{ EquippedKitchen: listing.cuisineEquipee, EquippedWithFurniture: listing.meuble },
    ...{ PetsAllowed: listing.animaux, HandicapAdaptedAccess: listing.accessible === true || undefined },
    ...{ ParkingAvailable: listing.parking, PropertyTenants: listing.loue, Conservation: conservationOf(listing) },
    HeatingType: heatingOf(listing),
  };
}

/** The word "new" is only for developments. */
function conservationOf({ etat = '' }: Listing): string | undefined {
  if (/^bon état$/i.test(etat)) return 'good';
  return /^à rénover$|para reformar|da ristrutturare/i.test(etat) ? 'toRestore' : undefined;
}

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/collectif|centrali|central/i, 'central'],
  [/individuel|autonomo/i, 'individual'],
];
const SOURCES: readonly (readonly [RegExp, string, readonly string[]])[] = [
  [/^gaz$/i, 'Gas', ['central', 'individual']],
  [/^fioul$/i, 'FuelOil', ['central']],
  [/propane|butane/i, 'PropaneButane', ['individual']],
  [/^électricité$/i, 'Electric', ['individual']],
  [/^pompe à chaleur$/i, 'AirConditioningHeatPump', ['individual']],
];

/** One word for the kind and its fuel; `Other` where the format has no word for the fuel. */
export function heatingOf({ chauffageType = '', chauffageEnergie = '' }: Listing): string | undefined {
  const kind = KINDS.find(([pattern]) => pattern.test(chauffageType))?.[1];
  if (kind === undefined) return undefined;
  const source = SOURCES.find(([pattern, , kinds]) => pattern.test(chauffageEnergie) && kinds.includes(kind))?.[1];
  return `${kind}${source ?? 'Other'}`;
}

/** The class on the scale of a country that the format serves, or its word for none. */
function energy({ energie = [] }: Listing): Record<string, Value> {
  const figure = energie.find(({ grandeur, echelle }) => grandeur === 'energie-primaire' && SCALES.has(echelle));
  if (figure === undefined) return {};
  const { classe, statut, valeur } = figure;
  const state = statut === 'non-soumis' ? 'exempt' : statut === 'en-cours' ? 'inProcess' : undefined;
  return {
    EnergyCertificateRating: classe !== undefined && CLASSES.has(classe) ? classe : state,
    EnergyCertificatePerformance:
      valeur !== undefined && valeur >= 1 && valeur <= 999 ? Math.round(valeur * 100) / 100 : undefined,
  };
}

const DIRECTIONS: readonly (readonly [string, RegExp])[] = [
  ['OrientationNorth', /nord|north|norte/i],
  ['OrientationEast', /(?<![a-z])(?:est|este|east|ost)(?![a-z])/i],
  ['OrientationSouth', /s[uü]d|sued|south|\bsur\b/i],
  ['OrientationWest', /ouest|west|oeste|ovest/i],
];

export function directionsOf(exposition: string | undefined): string[] {
  return DIRECTIONS.flatMap(([name, pattern]) => (pattern.test(exposition ?? '') ? [name] : []));
}

function words({ exposition, caracteristiques = [] }: Listing): Record<string, Value> {
  return Object.fromEntries([
    ...directionsOf(exposition).map((name) => [name, true] as const),
    ...caracteristiques.flatMap((feature) => (FLAGS[feature] === undefined ? [] : [[FLAGS[feature], true] as const])),
  ]);
}

/** The schema has whole numbers. */
function whole(value: number | undefined): number | undefined {
  return value === undefined || value < 1 ? undefined : Math.round(value);
}

function floor(value: number | undefined): number | undefined {
  return value === undefined || value < 1 ? undefined : Math.floor(value);
}
