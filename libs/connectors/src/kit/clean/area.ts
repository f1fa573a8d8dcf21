import { toCents } from './number';

/** Square metres in one of each unit. */
export const SQUARE_METRES = {
  m2: 1,
  ft2: 0.09290304,
  yd2: 0.83612736,
  are: 100,
  ha: 10_000,
  acre: 4_046.8564224,
  kanal: 505.857,
  marla: 25.29285,
} as const;
export type AreaUnit = keyof typeof SQUARE_METRES;

/** An area in m², to two decimals; undefined for zero and below, which mean unknown. */
export function toSquareMetres(area: number | undefined, unit: AreaUnit = 'm2'): number | undefined {
  return area !== undefined && area > 0 ? toCents(area * SQUARE_METRES[unit]) : undefined;
}
