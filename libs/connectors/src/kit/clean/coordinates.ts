import { toNumber } from './number';

/** A point on the map. */
export interface Coordinates {
  latitude: number;
  longitude: number;
}

/** Undefined for half a point, for one outside the earth, and for 0;0, which means unknown. */
export function toCoordinates(latitude: unknown, longitude: unknown): Coordinates | undefined {
  const point = { latitude: toNumber(latitude), longitude: toNumber(longitude) };
  if (point.latitude === undefined || point.longitude === undefined) return undefined;
  if (Math.abs(point.latitude) > 90 || Math.abs(point.longitude) > 180) return undefined;
  return point.latitude === 0 && point.longitude === 0
    ? undefined
    : { latitude: point.latitude, longitude: point.longitude };
}
