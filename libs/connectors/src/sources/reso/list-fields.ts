import type { JsonRecord } from '../../formats/json-records';
import type { LinkSource } from '../../kit/clean/attachments';
import { toFlag } from '../../kit/clean/fold-word';
import { readNumber } from '../../kit/clean/number';
import { features, inOneLine } from '../../kit/collections';
import type { RecordContext } from '../../kit/contracts';
import { listOf, scalarOf, textOf } from '../../kit/values';
import * as v from '../../kit/verbs';
import { squeezed } from './lookups';
import { publicMedia } from './media';
import { amount, DIGITS } from './offer';

/** Values of lists that have no meaning. */
const NOTHING: ReadonlySet<string> = new Set(['', 'none', 'no', 'other', 'seeremarks', 'na', 'unknown']);

/** The words of these fields. Servers write them as a list, or as one text with commas. */
function wordsOf(record: JsonRecord, ...fields: readonly string[]): string[] {
  return fields.flatMap((field) =>
    listOf(record[field])
      .flatMap((value) => (textOf(value) ?? '').split(','))
      .map((word) => word.trim())
      .filter((word) => !NOTHING.has(squeezed(word))),
  );
}

/** The words of these fields on one line. */
export function lineOf(...fields: readonly string[]): v.Verb<JsonRecord, string> {
  return v.computed((record: JsonRecord) => inOneLine(wordsOf(record, ...fields)), ...fields);
}

const FEATURE_FIELDS = [
  ...['Appliances', 'InteriorFeatures', 'ExteriorFeatures', 'Flooring', 'LotFeatures', 'SecurityFeatures'],
  ...['PatioAndPorchFeatures', 'CommunityFeatures', 'AssociationAmenities', 'LaundryFeatures', 'WindowFeatures'],
  ...['WaterfrontFeatures', 'AccessibilityFeatures'],
];
export const FEATURES = features<JsonRecord>(
  (record) => [
    ...wordsOf(record, ...FEATURE_FIELDS),
    ...(isOnWater(record) && wordsOf(record, 'WaterfrontFeatures').length === 0 ? ['Waterfront'] : []),
  ],
  ...FEATURE_FIELDS,
  'WaterfrontYN',
);

function isOnWater(record: JsonRecord): boolean {
  return toFlag(scalarOf(record['WaterfrontYN'])) === true;
}

/** Yes if the list names a feature, no if it contains only "None". */
export function listed(field: string): v.Verb<JsonRecord, boolean> {
  return v.computed((record: JsonRecord) => {
    if (wordsOf(record, field).length > 0) return true;
    const words = listOf(record[field]).map((value) => squeezed(textOf(value) ?? ''));
    return words.length > 0 && words.every((word) => word === 'none') ? false : undefined;
  }, field);
}

/** `ParkingTotal`, else the sum of garage, carport and open spaces. */
export function parkingSpacesOf(record: JsonRecord): number | undefined {
  const parts = ['GarageSpaces', 'CarportSpaces', 'OpenParkingSpaces'].map((field) => amount(record, field) ?? 0);
  const count = amount(record, 'ParkingTotal') ?? parts.reduce((sum, part) => sum + part, 0);
  return count > 0 && Number.isInteger(count) ? count : undefined;
}

/** The price before the last change, if it was higher. */
export function oldPriceOf(record: JsonRecord, context: RecordContext): number | undefined {
  // The price field of the listing already warns about an unreadable `ListPrice`.
  const now = readNumber(scalarOf(record['ListPrice']), DIGITS);
  const before = previous.read(record, context) ?? original.read(record, context);
  return before !== undefined && typeof now === 'number' && now > 0 && before > now ? before : undefined;
}

const original = v.money('OriginalListPrice', DIGITS);
const previous = v.money('PreviousListPrice', DIGITS);

export function mediaLinks(record: JsonRecord, wanted: RegExp): LinkSource[] {
  return publicMedia(record).flatMap((medium) =>
    wanted.test(squeezed(textOf(medium['MediaCategory']) ?? ''))
      ? [{ value: medium['MediaURL'], titre: medium['ShortDescription'] }]
      : [],
  );
}
