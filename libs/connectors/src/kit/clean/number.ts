/** How a feed writes numbers. */
export interface NumberStyle {
  /** What a single comma means: `1,350` is 1.35 in French and 1350 in English. */
  comma?: 'decimal' | 'thousands';
  /** What a single point ahead of exactly three digits means: `349.000` is 349 or 349000. */
  point?: 'decimal' | 'thousands';
}

const PLAIN = /^-?\d{1,15}(?:\.\d{1,12})?$/;
/** A number with blanks, apostrophes, points and commas, and a unit or currency that says nothing new. */
const WRITTEN =
  /^(?:eur|usd|gbp|chf|[€$£])?\s*([+-]?\d[\d\s.,'’]*)(?:\s*(?:eur|euros?|usd|gbp|chf|[€$£%]|m|m2|m²|km|h|kwh|kg|ans?|ttc|cc|hc|ht|fai|hai|\/\s?mois|par mois|(?<=[.,])-{1,2}))*$/i;
/** No number is longer with its unit; the expression above is slow on long runs of blanks. */
const LONGEST = 60;
/** Nothing that a listing counts or costs is larger; NaN is not either. */
const LARGEST = 1e12;
const BLANKS_AND_APOSTROPHES = /[\s'’]/g;

/**
 * A number as feeds write it: `92,5`, `1 450,50` (with any kind of blank), `1'450.50`, `349.000,00`, `67.5 m²`, `349 000 €`.
 * Undefined for anything that is not one number ("1e5", "0x10", "sur demande").
 */
export function toNumber(value: unknown, style: NumberStyle = {}): number | undefined {
  if (typeof value === 'number') return plausible(value);
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (PLAIN.test(text) && style.point !== 'thousands') return plausible(Number(text));
  const written = text.length > LONGEST ? undefined : WRITTEN.exec(text)?.[1];
  if (written === undefined) return undefined;
  const number = Number(withDecimalPoint(written.replace(BLANKS_AND_APOSTROPHES, ''), style));
  return plausible(number);
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
  // Two of the same kind can only be thousands.
  if (commas > 1 || points > 1) return isGrouped(digits) ? digits.replace(/[.,]/g, '') : 'NaN';
  if (commas === 1)
    return style.comma === 'thousands' && isGrouped(digits) ? digits.replace(',', '') : digits.replace(',', '.');
  return style.point === 'thousands' && isGrouped(digits) ? digits.replace('.', '') : digits;
}

function isGrouped(digits: string): boolean {
  return /^[+-]?\d{1,3}(?:[.,]\d{3})+$/.test(digits);
}

/** Rounded to two decimals: money and areas need no more, and converted ones would otherwise end in noise. */
export function toCents(value: number): number {
  return Math.round(value * 100) / 100;
}
