import { toNumber } from './number';

/** `T3`, `F4`, `P2`, `3 pièces`, `3 p.`, `3+1` is not one. */
const ROOMS_TEXT =
  /^(?:[tfp]\s*)?(\d{1,3}(?:[.,]\d)?)\s*(?:p|pcs|pi[eè]ces?|ch|chambres?|rooms?|beds?|bedrooms?|et plus|bis|\+)?\.?$/i;

/** `RDC`, `rez-de-chaussée`, `EG`, `ground floor`, `planta baja`. */
const GROUND_FLOOR = /^(?:rdc\b|rez\b|eg$|erdgeschoss|ground|planta baja|bajos?$|piano terra)/i;
/** `3e`, `1er étage`, `2. OG`, `4ª planta`, `2nd floor` */
const ORDINAL_FLOOR =
  /^(\d{1,2})\s*(?:er|[eè]|[eè]me|nd|st|rd|th|\.?[ªº°]|\.)?\s*(?:[eé]tage|og|obergeschoss|stock|floor|planta|piano)?$/i;

/** A whole number: `3`, `"3"`, `"3.0"`. Undefined for a fraction. */
export function toInteger(value: unknown): number | undefined {
  const number = toNumber(value);
  return number !== undefined && Number.isSafeInteger(number) ? number : undefined;
}

/**
 * A number of rooms, which may be half (`2.5`) and may be written `T3` or `3 pièces`.
 * Undefined for zero: a feed that says 0 rooms does not know.
 */
export function toRooms(value: unknown): number | undefined {
  const number =
    toNumber(value) ?? (typeof value === 'string' ? toNumber(ROOMS_TEXT.exec(value.trim())?.[1]) : undefined);
  return number !== undefined && number > 0 && number < 1_000 ? number : undefined;
}

/** A floor: 0 is the ground, below it are basements. Words for the ground floor and ordinals are read too. */
export function toFloor(value: unknown): number | undefined {
  const number = toInteger(value);
  if (number !== undefined || typeof value !== 'string') return number;
  const text = value.trim();
  return GROUND_FLOOR.test(text) ? 0 : toInteger(ORDINAL_FLOOR.exec(text)?.[1]);
}

/** A year between 1000 and 2200: `1985`, `"1985"`. Zero and the rest are unknown. */
export function toYear(value: unknown): number | undefined {
  const year = toInteger(value);
  return year !== undefined && year >= 1000 && year <= 2200 ? year : undefined;
}
