import type { JsonRecord } from '../../formats/json-records';
import { compilePath, listOf, textOf } from '../../kit/values';

/** The member of a unit that holds its development, without the development's units. */
export const DEVELOPMENT = 'newDevelopment';
const kindAt = compilePath('propertyFeatures.featuresNewDevelopmentType');
const typeAt = compilePath('propertyFeatures.featuresType');

/** A unit that has one of these members has a separate address. */
const PLACES = ['addressTown', 'addressPostalCode', 'addressCoordinatesLatitude'];
/** If a list of a unit is empty, the unit inherits the whole list of its development. */
const INHERITED_LISTS = ['propertyDescriptions', 'propertyImages', 'propertyVideos'];

export function developmentOf(record: JsonRecord): JsonRecord | undefined {
  return asObject(record[DEVELOPMENT]);
}

/** Whether the record is a development without listed units. */
export function isPromotion(record: JsonRecord): boolean {
  return kindAt(record) !== undefined || textOf(typeAt(record)) === 'promo';
}

/** If the address comes from the development, so does its visibility: a hidden address stays hidden. */
export function withDevelopment(unit: JsonRecord, development: JsonRecord): JsonRecord {
  const own = asObject(unit['propertyAddress']);
  const hasPlace = PLACES.some((name) => textOf(own?.[name]) !== undefined);
  const address = hasPlace ? own : { ...own, ...asObject(development['propertyAddress']) };
  return {
    ...unit,
    ...(address !== undefined && { propertyAddress: address }),
    propertyContact: asObject(unit['propertyContact']) ?? development['propertyContact'],
    ...Object.fromEntries(
      INHERITED_LISTS.filter((name) => listOf(unit[name]).length === 0).map((name) => [name, development[name]]),
    ),
  };
}

function asObject(value: unknown): JsonRecord | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonRecord) : undefined;
}
