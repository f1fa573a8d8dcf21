/** A published position in WGS 84, in degrees. */
export interface Position {
  latitude: number;
  longitude: number;
}

/** Whether a position is in an area, including its edge. */
export type Area = (position: Position) => boolean;

const EARTH_RADIUS_KM = 6371.0088;
const RADIANS = Math.PI / 180;
/** A position closer than this to a side of an area lies on the side. In degrees: a tenth of a millimetre. */
const TOLERANCE = 1e-9;

/** A box between two meridians and two parallels. If west is greater than east, it crosses the 180th meridian. */
export function box([west, south, east, north]: readonly [number, number, number, number]): Area {
  return ({ latitude, longitude }) =>
    latitude >= south &&
    latitude <= north &&
    (west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east);
}

/** A circle: positions at most this many km away, along the surface of a sphere. */
export function circle([latitude, longitude, km]: readonly [number, number, number]): Area {
  const centre = { latitude, longitude };
  return (position) => distanceKm(centre, position) <= km;
}

/** The distance of two positions on a sphere, by the haversine formula. */
export function distanceKm(from: Position, to: Position): number {
  const half = (degrees: number): number => Math.sin((degrees * RADIANS) / 2) ** 2;
  const across = Math.cos(from.latitude * RADIANS) * Math.cos(to.latitude * RADIANS);
  const h = half(to.latitude - from.latitude) + across * half(to.longitude - from.longitude);
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(h)));
}

type Corner = readonly [latitude: number, longitude: number];

/** A polygon by the even-odd rule, with straight sides in degrees. No side crosses the 180th meridian. */
export function polygon(corners: readonly Corner[]): Area {
  const edges = corners.map(([fromLatitude, fromLongitude], at) => {
    const [toLatitude, toLongitude] = corners[(at + 1) % corners.length]!;
    const tolerance = TOLERANCE * Math.hypot(toLatitude - fromLatitude, toLongitude - fromLongitude);
    return { fromLatitude, fromLongitude, toLatitude, toLongitude, tolerance };
  });
  return ({ latitude, longitude }) => {
    let isInside = false;
    for (const { fromLatitude, fromLongitude, toLatitude, toLongitude, tolerance } of edges) {
      const side =
        (toLongitude - fromLongitude) * (latitude - fromLatitude) -
        (longitude - fromLongitude) * (toLatitude - fromLatitude);
      const isBetween = isWithin(latitude, fromLatitude, toLatitude) && isWithin(longitude, fromLongitude, toLongitude);
      if (isBetween && Math.abs(side) <= tolerance) return true;
      // Each edge includes its lower end but not its upper one, so that a line through a corner meets only one of the two edges.
      const isCrossed = fromLatitude > latitude !== toLatitude > latitude;
      if (isCrossed && side > 0 === toLatitude > fromLatitude) isInside = !isInside;
    }
    return isInside;
  };
}

function isWithin(value: number, one: number, other: number): boolean {
  return value >= Math.min(one, other) && value <= Math.max(one, other);
}
