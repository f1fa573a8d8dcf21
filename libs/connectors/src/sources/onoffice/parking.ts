import type { JsonRecord } from '../../formats/json-records';
import { toInteger } from '../../kit/clean/number';
import { inOneLine } from '../../kit/collections';
import { compilePath, scalarOf } from '../../kit/values';
import * as v from '../../kit/verbs';
import { labelled } from './labels';

/** The kinds of `multiParkingLot`, in words of the website plugin of the vendor. */
const KINDS: Readonly<Record<string, string>> = {
  ...{ carport: 'Carport', duplex: 'Duplex-Stellplatz', garage: 'Garage', multiStoryGarage: 'Parkhaus' },
  ...{ parkingSpace: 'Außenstellplatz', undergroundGarage: 'Tiefgarage', otherParkingLot: 'Stellplatz' },
};

/** Paths of the raw record. */
export const PARKING_FIELDS = Object.keys(KINDS).flatMap((kind) =>
  ['Count', 'Price', 'MarketingType'].map((name) => `elements.multiParkingLot.${kind}.${name}`),
);

const lotsAt = compilePath('elements.multiParkingLot');

/** The number of parking spaces of each kind that has any. */
function countsOf(record: JsonRecord): [kind: string, count: number][] {
  const lots = lotsAt(record);
  if (typeof lots !== 'object' || lots === null || Array.isArray(lots)) return [];
  return Object.entries(KINDS).flatMap(([kind, word]) => {
    const count = toInteger(scalarOf((lots as Readonly<Record<string, { Count?: unknown } | null>>)[kind]?.Count)) ?? 0;
    return count > 0 ? [[word, count] as [string, number]] : [];
  });
}

function spacesOf(record: JsonRecord): number | undefined {
  return countsOf(record).reduce((sum, [, count]) => sum + count, 0) || undefined;
}

const simpleCount = v.integer('elements.anzahl_stellplaetze');

/** Clients have either one number of parking spaces, or one for each kind. */
export const PARKING = {
  parking: v.first<JsonRecord, boolean>(
    v.anyOf('elements.anzahl_stellplaetze'),
    v.computed((record: JsonRecord) => countsOf(record).length > 0 || undefined, 'elements.multiParkingLot'),
  ),
  nbreParkings: v.first<JsonRecord, number>(simpleCount, v.computed(spacesOf, 'elements.multiParkingLot')),
  parkingType: v.first<JsonRecord, string>(
    labelled('stellplatzart'),
    v.computed((record: JsonRecord) => inOneLine(countsOf(record).map(([word]) => word)), 'elements.multiParkingLot'),
  ),
};
