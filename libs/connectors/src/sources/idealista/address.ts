import type { JsonRecord } from '../../formats/json-records';
import { plainLine } from '../../kit/clean/plain-text';
import type { RecordContext } from '../../kit/contracts';
import { compilePath, textOf } from '../../kit/values';
import { lookUp } from '../../kit/word-table';
import { FLOORS, VISIBILITIES } from './lookups';

const at = {
  visibility: compilePath('propertyAddress.addressVisibility'),
  street: compilePath('propertyAddress.addressStreetName'),
  number: compilePath('propertyAddress.addressStreetNumber'),
  precision: compilePath('propertyAddress.addressCoordinatesPrecision'),
  floor: compilePath('propertyAddress.addressFloor'),
};

/** `full` shows street and number, `street` only the street; `hidden`, a missing and an unknown word show neither. */
export function streetOf(record: JsonRecord, context: RecordContext): string | undefined {
  const word = textOf(at.visibility(record));
  const shown = lookUp(VISIBILITIES, word, 'propertyAddress.addressVisibility', context);
  if (shown !== 'full' && shown !== 'street') return undefined;
  const street = plainLine(textOf(at.street(record)));
  if (street === undefined || shown === 'street') return street;
  return plainLine(`${street} ${textOf(at.number(record)) ?? ''}`);
}

/** An exact point is shown only if the whole address is shown. Otherwise the point of the district is shown. */
export function showsPoint(record: JsonRecord): true | 'district' {
  const isFull = VISIBILITIES.find(textOf(at.visibility(record)) ?? '') === 'full';
  return isFull && textOf(at.precision(record))?.toLowerCase() === 'exact' ? true : 'district';
}

/** A number from -2 to 60, `bj` (ground), `en` (between ground and first: no number), `ss` or `st` (below ground). */
export function floorOf(record: JsonRecord, context: RecordContext): number | undefined {
  const word = textOf(at.floor(record));
  if (word === undefined) return undefined;
  if (/^(?:-[1-9]|\d{1,2})$/.test(word)) return Number(word);
  const floor = lookUp(FLOORS, word, 'propertyAddress.addressFloor', context);
  return floor === 'between' ? undefined : floor;
}
