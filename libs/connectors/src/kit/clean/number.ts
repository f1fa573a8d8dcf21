export interface NumberStyle {
  /** The meaning of a single comma before exactly three digits: `1,350` is 1.35 in French and 1350 in English. */
  comma?: SeparatorMeaning;
  /** The meaning of a single point before exactly three digits: `349.000` is 349 or 349000. */
  point?: SeparatorMeaning;
  /** The number that the format uses for "not given", if it has one. Any other negative number is a mistake. */
  unknown?: number;
}

/** `fraction` is a decimal sign that rarely precedes three digits: `85.125` is a fraction, `1.250` is ambiguous. */
export type SeparatorMeaning = 'decimal' | 'thousands' | 'fraction';

const PLAIN = /^-?\d{1,15}(?:\.\d{1,12})?$/;
/** A number with blanks, apostrophes, points and commas, and a unit or currency that adds no information. */
const WRITTEN =
  /^(?:eur|usd|gbp|chf|s?fr\.?|[€$£])?\s*([+-]?\d[\d\s.,'’]*)(?:(?:eur|euros?|usd|gbp|chf|[€$£%]|m|m2|m²|km|h|kwh|kg|ans?|ttc|cc|hc|ht|fai|hai|\/\s?mois|par mois|(?<=[.,])[-–—]{1,2})\s*)*$/i;
/** No number with its unit is longer, and the expression above is slow on long runs of blanks. */
const LONGEST = 60;
/** Larger numbers are not plausible in a listing. NaN is rejected too, because a comparison with NaN is false. */
const LARGEST = 1e12;
const BLANKS_AND_APOSTROPHES = /[\s'’]/g;
/** One separator before three digits is ambiguous: `1.234` is 1234 or 1.234. */
const TWO_MEANINGS = /^[+-]?[1-9]\d{0,2}([.,])\d{3}$/;

/** Without `style` a separator is decimal: use `readNumber` where that could be wrong by a factor of a thousand. */
export function toNumber(value: unknown, style: NumberStyle = {}): number | undefined {
  if (typeof value === 'number') return plausible(value);
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (PLAIN.test(text) && style.point !== 'thousands') return plausible(Number(text));
  const written = writtenDigits(text);
  return written === undefined ? undefined : plausible(Number(withDecimalPoint(written, style)));
}

/** Reads a number. Returns `doubtful` if it has two possible meanings and the feed's number style does not decide. */
export function readNumber(value: unknown, style: NumberStyle = {}): number | 'doubtful' | undefined {
  if (typeof value === 'string' && /[.,]/.test(value)) {
    const digits = writtenDigits(value.trim()) ?? '';
    const separator = TWO_MEANINGS.exec(digits)?.[1];
    if (separator !== undefined) {
      const meaning = separator === '.' ? style.point : style.comma;
      if (meaning === undefined || (meaning === 'fraction' && !isLikelyFraction(digits))) return 'doubtful';
    }
  }
  return toNumber(value, style);
}

/** A fraction rarely ends with a zero, and a number with one digit before the separator rarely has three decimals. */
function isLikelyFraction(digits: string): boolean {
  return !digits.endsWith('0') && /\d{2}[.,]/.test(digits);
}

/** The digits and separators of a number; undefined for a text that is more than one number. */
function writtenDigits(text: string): string | undefined {
  const written = text.length > LONGEST ? undefined : WRITTEN.exec(text)?.[1];
  if (written === undefined) return undefined;
  const digits = written.replace(BLANKS_AND_APOSTROPHES, '');
  if (!/[.,]$/.test(digits)) return digits;
  // `1.750.-` has no decimals, so its separators are thousands separators.
  const whole = digits.slice(0, -1);
  return isGrouped(whole) ? whole.replace(/[.,]/g, '') : whole;
}

function plausible(number: number): number | undefined {
  return Math.abs(number) <= LARGEST ? number : undefined;
}

function withDecimalPoint(digits: string, style: NumberStyle): string {
  const commas = digits.split(',').length - 1;
  const points = digits.split('.').length - 1;
  if (commas === 0 && points === 0) return digits;
  if (commas > 0 && points > 0) {
    const lastIsComma = digits.lastIndexOf(',') > digits.lastIndexOf('.');
    return lastIsComma ? digits.replaceAll('.', '').replace(',', '.') : digits.replaceAll(',', '');
  }
  // Two separators of the same kind can only be thousands separators.
  if (commas > 1 || points > 1) return isGrouped(digits) ? digits.replace(/[.,]/g, '') : 'NaN';
  if (commas === 1)
    return style.comma === 'thousands' && isGrouped(digits) ? digits.replace(',', '') : digits.replace(',', '.');
  return style.point === 'thousands' && isGrouped(digits) ? digits.replace('.', '') : digits;
}

function isGrouped(digits: string): boolean {
  return /^[+-]?\d{1,3}(?:[.,]\d{3})+$/.test(digits);
}

/** Rounds to two decimals: money and areas need no more, and conversions would otherwise leave rounding noise. */
export function toCents(value: number): number {
  return Math.round(value * 100) / 100;
}

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

/** `T3`, `F4`, `P2`, `3 pièces`, `3 p.`; but `3+1` is no number of rooms. */
const ROOMS_TEXT =
  /^(?:[tfp]\s*)?(\d{1,3}(?:[.,]\d)?)\s*(?:p|pcs|pi[eè]ces?|ch|chambres?|rooms?|beds?|bedrooms?|et plus|bis|\+)?\.?$/i;

const GROUND_FLOOR = /^(?:rdc\b|rez\b|eg$|erdgeschoss|ground|planta baja|bajos?$|piano terra)/i;
/** `3e`, `1er étage`, `2. OG`, `4ª planta`, `2nd floor` */
const ORDINAL_FLOOR =
  /^([-\u2212]?\d{1,2})\s*(?:(?:er|[eè]|[eè]me|nd|st|rd|th|\.?[ªº°]|\.)\s*)?(?:[eé]tage|og|obergeschoss|stock|floor|planta|piano)?$/i;

/** A whole number: `3`, `"3"`, `"3.0"`. Undefined for a fraction. */
export function toInteger(value: unknown): number | undefined {
  const number = toNumber(value);
  return number !== undefined && Number.isSafeInteger(number) ? number : undefined;
}

/** Rooms, perhaps half (`2.5`), or written `T3` or `3 pièces`. Undefined for zero, which means unknown. */
export function toRooms(value: unknown): number | undefined {
  const number =
    toNumber(value) ?? (typeof value === 'string' ? toNumber(ROOMS_TEXT.exec(value.trim())?.[1]) : undefined);
  return number !== undefined && number > 0 && number < 1_000 ? number : undefined;
}

/** 0 is the ground floor, negative numbers are basements. Also reads ordinals and words for the ground floor. */
export function toFloor(value: unknown): number | undefined {
  const number = toInteger(value);
  if (number !== undefined || typeof value !== 'string') return number;
  const text = value.trim();
  if (GROUND_FLOOR.test(text)) return 0;
  return toInteger(ORDINAL_FLOOR.exec(text)?.[1]?.replace('\u2212', '-'));
}

/** A year between 1000 and 2200: `1985`, `"1985"`. Zero and all other numbers mean unknown. */
export function toYear(value: unknown): number | undefined {
  const year = toInteger(value);
  return year !== undefined && year >= 1000 && year <= 2200 ? year : undefined;
}
