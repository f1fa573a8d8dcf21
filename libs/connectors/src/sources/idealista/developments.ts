import type { JsonRecord } from '../../formats/json-records';
import { compilePath, listOf, textOf } from '../../kit/values';

/** The member under which a unit has its development, without the units of that. */
export const DEVELOPMENT = 'newDevelopment';
const kindAt = compilePath('propertyFeatures.featuresNewDevelopmentType');
const typeAt = compilePath('propertyFeatures.featuresType');

/** Where a place is said by one of these, the unit has an address of its own. */
const PLACES = ['addressTown', 'addressPostalCode', 'addressCoordinatesLatitude'];
/** Texts and pictures of a unit are its own, or all of the development's. */
const INHERITED_LISTS = ['propertyDescriptions', 'propertyImages', 'propertyVideos'];

export function developmentOf(record: JsonRecord): JsonRecord | undefined {
  return asObject(record[DEVELOPMENT]);
}

/** Whether the record is a development itself, of which no unit is listed. */
export function isPromotion(record: JsonRecord): boolean {
  return kindAt(record) !== undefined || textOf(typeAt(record)) === 'promo';
}

/** A unit with what it does not say itself. What the development hides stays hidden: its address brings its visibility. */
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
