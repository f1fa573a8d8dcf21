import type { JsonRecord } from '../../formats/json-records';
import { toIsoDay } from '../../kit/clean/date';
import { toFlag } from '../../kit/clean/fold-word';
import { toInteger } from '../../kit/clean/number';
import { plainLine } from '../../kit/clean/plain-text';
import { lookedUp, namesOfYes } from '../../kit/collections';
import type { RecordContext } from '../../kit/contracts';
import { together } from '../../kit/together';
import { compilePath, scalarOf, textOf } from '../../kit/values';
import { lookUp, type WordTable } from '../../kit/word-table';
import { developmentOf } from './developments';
import { CONSERVATIONS, COOLINGS, GARDENS, HEATINGS, OCCUPATIONS, PARKINGS, UBICATIONS } from './lookups';

const NAMES: Readonly<Record<string, string>> = {
  AccessControl: 'Contrôle d’accès',
  Access24h: 'Accès jour et nuit',
  BathroomAdapted: 'Salle de bain adaptée',
  Doorman: 'Gardien',
  Duplex: 'Duplex',
  Penthouse: 'Penthouse',
  Studio: 'Studio',
  EmergencyExit: 'Issue de secours',
  FloorsInTop: 'Dernier étage',
  Heating: 'Chauffage',
  HotWater: 'Eau chaude',
  LoadingDock: 'Quai de chargement',
  LocatedAtCorner: 'Local d’angle',
  ParkingAutomaticDoor: 'Porte de garage automatique',
  ParkingPlaceCovered: 'Parking couvert',
  Security24h: 'Surveillance jour et nuit',
  SecurityAlarm: 'Alarme',
  SecurityDoor: 'Porte blindée',
  SecurityPersonnel: 'Gardiennage',
  SmokeExtraction: 'Extraction de fumée',
  Sprinklers: 'Extincteurs automatiques',
  Storage: 'Débarras',
  SuspendedCeiling: 'Faux plafond',
  SuspendedFloor: 'Faux plancher',
  UtilitiesElectricity: 'Électricité',
  UtilitiesNaturalGas: 'Gaz de ville',
  UtilitiesRoadAccess: 'Accès par la route',
  UtilitiesSewerage: 'Égouts',
  UtilitiesSidewalk: 'Trottoir',
  UtilitiesStreetLighting: 'Éclairage public',
  UtilitiesWater: 'Eau',
  Wardrobes: 'Placards',
  WindowsDouble: 'Double vitrage',
};
const namesOf = namesOfYes(
  Object.fromEntries(Object.entries(NAMES).map(([name, french]) => [`propertyFeatures.features${name}`, french])),
);
const ubications = lookedUp(UBICATIONS, 'propertyFeatures.featuresUbication');

function looked<T>(name: string, table: WordTable<T>): (record: JsonRecord, context: RecordContext) => T | undefined {
  const path = `propertyFeatures.${name}`;
  const read = compilePath(path);
  return (record, context) => lookUp(table, textOf(read(record)), path, context);
}

const occupation = looked('featuresCurrentOccupation', OCCUPATIONS);
const cooling = looked('featuresConditionedAirType', COOLINGS);
const gardenKind = looked('featuresGardenType', GARDENS);
const conservation = looked('featuresConservation', CONSERVATIONS);
const heating = looked('featuresHeatingType', HEATINGS);
const parkingKind = looked('featuresParkingType', PARKINGS);
const capacity = looked('featuresGarageCapacityType', PARKINGS);
const at = {
  garden: compilePath('propertyFeatures.featuresGarden'),
  rented: compilePath('propertyFeatures.featuresThirdPartiesRented'),
  from: compilePath('propertyFeatures.featuresAvailableFrom'),
  cooled: compilePath('propertyFeatures.featuresConditionedAir'),
  tenants: compilePath('propertyFeatures.featuresPropertyTenants'),
  year: compilePath('propertyFeatures.featuresKeyDeliveryYear'),
  month: compilePath('propertyFeatures.featuresKeyDeliveryMonth'),
};

interface Details {
  loue?: boolean | undefined;
  etat?: string | undefined;
  neuf?: true;
  jardin?: boolean | undefined;
  climatisation?: boolean | undefined;
  chauffageType?: string | undefined;
  chauffageEnergie?: string | undefined;
  parkingType?: string | undefined;
  disponibiliteTexte?: string | undefined;
  caracteristiques?: string[];
}

/** Each word is looked up once. A unit of a development is new. */
export const details = together<JsonRecord, Details>((record, context) => {
  const [state, occupied, warmed] = [
    conservation(record, context),
    occupation(record, context),
    heating(record, context),
  ];
  const cooled = cooling(record, context);
  const isNew = state?.isNew === true || developmentOf(record) !== undefined;
  const parking = [parkingKind(record, context), capacity(record, context)].filter((word) => word !== undefined);
  const garden = gardenKind(record, context);
  const more = [
    garden === 'shared' ? 'Jardin commun' : undefined,
    cooled === 'prepared' ? 'Climatisation préinstallée' : undefined,
    occupied?.caracteristique,
  ];
  const features = [...namesOf(record), ...ubications(record, context), ...more].filter(
    (word): word is string => word !== undefined && word !== '',
  );
  return {
    loue: occupied?.isLet ?? toFlag(scalarOf(at.rented(record))) ?? toFlag(scalarOf(at.tenants(record))),
    etat: state?.etat,
    ...(isNew && { neuf: true as const }),
    jardin: garden === undefined ? toFlag(scalarOf(at.garden(record))) : garden === 'own' ? true : undefined,
    climatisation: toFlag(scalarOf(at.cooled(record))) ?? (typeof cooled === 'boolean' ? cooled : undefined),
    chauffageType: warmed?.type,
    chauffageEnergie: warmed?.energie,
    parkingType: plainLine(parking.filter((word) => word !== '').join(', ')),
    disponibiliteTexte: deliveryOf(record) ?? deliveryOf(developmentOf(record)) ?? wordsOf(at.from(record)),
    ...(features.length > 0 && { caracteristiques: [...new Set(features)] }),
  };
});

/** A day has a field of its own. */
function wordsOf(value: unknown): string | undefined {
  const text = textOf(value);
  return toIsoDay(text) === undefined ? plainLine(text) : undefined;
}

/** The month and year when the keys of a development are handed over. */
function deliveryOf(record: JsonRecord | undefined): string | undefined {
  const year = toInteger(scalarOf(at.year(record)));
  const month = toInteger(scalarOf(at.month(record)));
  if (year === undefined || year < 1900 || year > 2200) return undefined;
  const isMonth = month !== undefined && month >= 1 && month <= 12;
  return `Livraison ${isMonth ? `${String(month).padStart(2, '0')}/` : ''}${year}`;
}
