/** South, west, north and east of the land of each country, with a margin. Islands far away have boxes of their own. */
const BOUNDS: Readonly<Record<string, readonly (readonly [number, number, number, number])[]>> = {
  AD: [[42.3, 1.3, 42.8, 1.9]],
  AT: [[46.2, 9.4, 49.2, 17.3]],
  BE: [[49.3, 2.4, 51.7, 6.5]],
  CH: [[45.7, 5.8, 48, 10.6]],
  DE: [[47.1, 5.7, 55.2, 15.2]],
  ES: [
    [35.1, -9.5, 44, 4.5],
    [27.5, -18.3, 29.6, -13.2],
  ],
  FR: [
    [41.2, -5.4, 51.3, 9.7],
    // The overseas departments and collectivities, which many feeds call France.
    [-22, 44.5, -12, 56.5],
    [1.5, -64, 18.7, -51],
    [46.5, -57, 47.5, -55.5],
    [-28.5, -155, -7, -134],
    [-23.5, 158, -13, 172],
  ],
  GB: [[49.1, -14, 61.2, 2.2]],
  IE: [[51.2, -11, 55.6, -5.2]],
  IT: [[35.2, 6.4, 47.3, 18.8]],
  LU: [[49.3, 5.6, 50.3, 6.6]],
  MC: [[43.6, 7.3, 43.9, 7.6]],
  NL: [
    [50.6, 3.2, 53.8, 7.4],
    [11.8, -70.3, 18.3, -62.7],
  ],
  PT: [
    [36.7, -9.8, 42.3, -6],
    [29.8, -17.5, 33.3, -15.8],
    [36.7, -31.5, 39.9, -24.7],
  ],
};

/** Whether a position may be in a country. A country without bounds contains every position. */
export function isWithin(country: string | undefined, latitude: number, longitude: number): boolean {
  const boxes = BOUNDS[country ?? ''];
  if (boxes === undefined) return true;
  for (const [south, west, north, east] of boxes) {
    if (latitude >= south && latitude <= north && longitude >= west && longitude <= east) return true;
  }
  return false;
}
