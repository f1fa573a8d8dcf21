import type { XmlRecord } from '../../formats/xml-records';
import { toFlag } from '../../kit/clean/fold-word';
import { compilePath, scalarOf, textOf } from '../../kit/values';

const at = {
  display: compilePath('location.locality.thoroughfare.@display'),
  map: compilePath('location.locality.@map'),
};

export function showsStreet(record: XmlRecord): boolean {
  return toFlag(scalarOf(at.display(record))) === true;
}

/** An exact point would reveal a hidden street, so then, and if `map` is missing, only the district is shown. */
export function showsPoint(record: XmlRecord): boolean | 'district' {
  const map = textOf(at.map(record))?.toLowerCase();
  if (map === 'no') return false;
  return map === 'exact' && showsStreet(record) ? true : 'district';
}
