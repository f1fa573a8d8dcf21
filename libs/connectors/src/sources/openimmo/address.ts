import type { XmlRecord } from '../../formats/xml-records';
import { type Coordinates, toCoordinates } from '../../kit/clean/coordinates';
import { toFlag } from '../../kit/clean/flag';
import { plainLine } from '../../kit/clean/plain-text';
import type { RecordContext } from '../../kit/contracts';
import { compilePath } from '../../kit/path';
import { scalarOf, textOf } from '../../kit/scalar';
import { attributeOf } from './attributes';

const at = {
  release: compilePath('verwaltung_objekt.objektadresse_freigeben'),
  street: compilePath('geo.strasse'),
  number: compilePath('geo.hausnummer'),
  point: compilePath('geo.geokoordinaten'),
};

/** Whether street and point may be shown: when the object says so, or says nothing and the gateway's settings do. */
export function showsAddress(record: XmlRecord, context: RecordContext): boolean {
  return toFlag(scalarOf(at.release(record))) ?? toFlag(context.settings['publier-adresse']) === true;
}

export function addressOf(record: XmlRecord, context: RecordContext): string | undefined {
  if (!showsAddress(record, context)) return undefined;
  return plainLine(`${textOf(at.street(record)) ?? ''} ${textOf(at.number(record)) ?? ''}`);
}

export function pointOf(record: XmlRecord, context: RecordContext): Coordinates | undefined {
  if (!showsAddress(record, context)) return undefined;
  const point = at.point(record);
  return toCoordinates(scalarOf(attributeOf(point, 'breitengrad')), scalarOf(attributeOf(point, 'laengengrad')));
}
