import type { XmlRecord } from '../../formats/xml-records';
import { toFlag } from '../../kit/clean/fold-word';
import { compilePath, scalarOf, textOf } from '../../kit/values';

const at = {
  display: compilePath('location.locality.thoroughfare.@display'),
  map: compilePath('location.locality.@map'),
};

/** The street is shown if the agency says so. */
export function showsStreet(record: XmlRecord): boolean {
  return toFlag(scalarOf(at.display(record))) === true;
}

/**
 * `map` says how exact the point may be. An exact point beside a hidden street would show the exact location: then, and if
 * nothing is said, the point of the district is shown.
 */
export function showsPoint(record: XmlRecord): boolean | 'district' {
  const map = textOf(at.map(record))?.toLowerCase();
  if (map === 'no') return false;
  return map === 'exact' && showsStreet(record) ? true : 'district';
}
