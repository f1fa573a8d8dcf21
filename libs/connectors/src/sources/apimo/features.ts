import type { Listing } from '@passerelle/domain';
import { isRental } from '@passerelle/domain';
import type { JsonRecord } from '../../formats/json-records';
import { toNumber, toYear } from '../../kit/clean/number';
import { features, inOneLine, lookedUp, lookedUpInOneLine } from '../../kit/collections';
import type { RecordContext } from '../../kit/contracts';
import { once, together } from '../../kit/together';
import { compilePath, listOf, scalarOf, textOf } from '../../kit/values';
import * as v from '../../kit/verbs';
import * as catalogs from './catalogs';
import { CATEGORIES, FEATURE_SERVICES, ROOMS_OF_NOTE } from './lookups';

export type Comfort = Pick<
  Listing,
  | 'nbreWc'
  | 'nbreParkings'
  | 'parkingType'
  | 'jardin'
  | 'cave'
  | 'cuisineEquipee'
  | 'climatisation'
  | 'cheminee'
  | 'accessible'
  | 'animaux'
>;

const AIR_CONDITIONING = '5';
const OPEN_FIRE = '8';

/** A feature that is not listed stays unknown. */
export const comfort = together<JsonRecord, Comfort>((record: JsonRecord) => {
  const found: Comfort = {};
  const parking: string[] = [];
  for (const room of listOf(record['areas'])) {
    const { type, number } = (room ?? {}) as Readonly<Record<string, unknown>>;
    const count = toNumber(scalarOf(number)) ?? 1;
    if (count <= 0 || count >= 1_000) continue;
    const kind = toNumber(scalarOf(type)) ?? 0;
    const place = catalogs.PARKING_AREAS.get(kind);
    if (place !== undefined) {
      found.nbreParkings = (found.nbreParkings ?? 0) + Math.round(count);
      parking.push(place);
    }
    const meaning = ROOMS_OF_NOTE.get(kind);
    if (meaning === 'nbreWc') found.nbreWc = (found.nbreWc ?? 0) + Math.round(count);
    else if (meaning !== undefined) found[meaning] = true;
  }
  const parkingType = inOneLine(parking);
  if (parkingType !== undefined) found.parkingType = parkingType;
  for (const service of listOf(record['services'])) {
    const meaning = FEATURE_SERVICES.get(toNumber(scalarOf(service)) ?? 0);
    if (meaning !== undefined) found[meaning] = true;
  }
  const devices = HEATING_DEVICE_PATHS.flatMap((read) => listOf(read(record)).map(textOf));
  if (devices.includes(AIR_CONDITIONING)) found.climatisation = true;
  if (devices.includes(OPEN_FIRE)) found.cheminee = true;
  return found;
});

const HEATING_DEVICE_PATHS = ['device', 'devices'].map(
  (name) => (record: JsonRecord) => (record['heating'] as Readonly<Record<string, unknown>> | null | undefined)?.[name],
);

/**
 * The access to the heating (individual or collective) and its devices; `HEAT_SOURCE` has the fuel. Older answers have
 * a single value in addition to each list.
 */
export const HEATING_TYPE = v.computed(
  (record: JsonRecord, context: RecordContext) =>
    inOneLine([access.read(record, context), devices.read(record, context)]),
  ...['heating.access', 'heating.device', 'heating.devices'],
);
const access = lookedUpInOneLine(catalogs.HEATING_ACCESS, 'heating.access');
const devices = lookedUpInOneLine(catalogs.HEATING_DEVICES, 'heating.device', 'heating.devices');
export const HEAT_SOURCE = lookedUpInOneLine(catalogs.HEAT_SOURCES, 'heating.type', 'heating.types');

const servicesIn = lookedUp(catalogs.SERVICES, 'services');
const renovatedAt = compilePath('construction.renovation_year');
export const FEATURES = features<JsonRecord>(
  (record, context) => {
    const year = toYear(scalarOf(renovatedAt(record)));
    return [...servicesIn(record, context), ...(year === undefined ? [] : [`Rénové en ${year}`])];
  },
  'services',
  'construction.renovation_year',
);

export const AVAILABILITY = once(lookedUpInOneLine(catalogs.AVAILABILITIES, 'availability'));

const tenantAt = compilePath('price.tenant');
const FREE = '1';
const LET = '2';

/**
 * Whether a property for sale is let. Undefined for lettings, and for "Occupé", because the occupant may be the owner.
 */
export function isTenanted(record: JsonRecord): boolean | undefined {
  const transaction = CATEGORIES.find(textOf(record['category']) ?? '');
  if (transaction === undefined || isRental(transaction)) return undefined;
  const availability = textOf(record['availability']);
  // `price.tenant` is the rent of the present tenant.
  if (availability === LET || (toNumber(scalarOf(tenantAt(record))) ?? 0) > 0) return true;
  return availability === FREE ? false : undefined;
}
