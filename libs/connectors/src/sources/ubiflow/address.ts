import type { XmlRecord } from '../../formats/xml-records';
import { type Coordinates, toCoordinates } from '../../kit/clean/coordinates';
import { plainLine } from '../../kit/clean/plain-text';
import { anywhere, places } from './places';

const release = anywhere('communiquer_adresse_exacte');
const address = places('bien.adresse', 'bien.adresse1');
const street = {
  number: places('bien.numero_voie'),
  type: places('bien.type_voie'),
  name: places('bien.nom_voie'),
};
const point = { latitude: places('bien.latitude', 'latitude'), longitude: places('bien.longitude', 'longitude') };

/** True and false as the advert says; undefined where it says nothing, then the street stays and the point may leave. */
export function addressRelease(record: XmlRecord): boolean | undefined {
  return release.flag(record);
}

export function addressOf(record: XmlRecord): string | undefined {
  if (addressRelease(record) !== true) return undefined;
  const whole = plainLine(address.text(record) ?? '');
  return (
    whole ?? plainLine([street.number, street.type, street.name].flatMap((part) => part.text(record) ?? []).join(' '))
  );
}

export function pointOf(record: XmlRecord): Coordinates | undefined {
  if (addressRelease(record) === false) return undefined;
  return toCoordinates(point.latitude.text(record), point.longitude.text(record));
}
