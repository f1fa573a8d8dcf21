import { iso1A2Code, iso1A2Codes } from '@rapideditor/country-coder';

/** In degrees, about 5 km: positions are rounded, and the borders are simplified. */
const TOLERANCE = 0.05;
const AROUND = [
  [0, 0],
  [TOLERANCE, 0],
  [-TOLERANCE, 0],
  [0, TOLERANCE],
  [0, -TOLERANCE],
] as const;

const known = new Map<string, boolean>();

/**
 * Whether a position is in a country or very near it. An overseas department is in France too. Takes 5 µs.
 * @param country ISO 3166-1 alpha-2; true for an unknown code, because nothing is known about its borders.
 */
export function isWithin(country: string | undefined, latitude: number, longitude: number): boolean {
  if (country === undefined || !isKnown(country)) return true;
  return AROUND.some(([north, east]) => iso1A2Codes([longitude + east, latitude + north]).includes(country));
}

function isKnown(country: string): boolean {
  let answer = known.get(country);
  if (answer === undefined) {
    answer = iso1A2Code(country) === country;
    known.set(country, answer);
  }
  return answer;
}
