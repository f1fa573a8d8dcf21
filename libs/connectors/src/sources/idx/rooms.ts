import { toRooms } from '../../kit/clean/count';

const RANGE = /^(\d{1,2}(?:[.,]5)?)\s*[-–/]\s*(\d{1,2}(?:[.,]5)?)$/;
const HALF = /^(\d{1,2})\s*(?:½|1\/2)$/;
const UNIT = /\s*(?:zimmer|zi\.?|locali|vani)$/i;

/**
 * A number of rooms as the Swiss write it: `4.5`, `4,5`, `4½`, `4 1/2`, `4½ Zimmer`. A range such as `4-5` becomes its middle, which
 * is how half rooms are meant.
 */
export function toSwissRooms(value: unknown): number | undefined {
  const plain = toRooms(value);
  if (plain !== undefined || typeof value !== 'string') return plain;
  const text = value.trim().replace(UNIT, '');
  const half = HALF.exec(text)?.[1];
  if (half !== undefined) return Number(half) + 0.5;
  const [, from, to] = RANGE.exec(text) ?? [];
  if (from === undefined || to === undefined) return toRooms(text);
  const [least, most] = [toRooms(from), toRooms(to)];
  return least === undefined || most === undefined || most < least ? undefined : (least + most) / 2;
}
