/** Of any country: letters and digits, a few blanks and hyphens. */
const SHAPE = /^[A-Za-z0-9](?:[A-Za-z0-9 -]{0,10}[A-Za-z0-9])?$/;

/** Where every postcode has five digits, and the first may be a zero. */
const FIVE_DIGITS = new Set(['FR', 'ES', 'DE', 'IT']);

/**
 * A postcode as text. A French, Spanish, German or Italian one of four digits has lost its leading zero on the way and
 * gets it back; those of other countries stay as they are.
 *
 * @param country ISO 3166-1 alpha-2
 */
export function toPostcode(value: unknown, country: string | undefined): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value).trim().replace(/\s+/g, ' ');
  if (!SHAPE.test(text) || !/[1-9]/.test(text)) return undefined;
  if (country === undefined || !FIVE_DIGITS.has(country)) return text;
  const digits = text.replace(/^(?:FR?|ES?|DE?|IT?)-/i, '').replaceAll(' ', '');
  return /^\d{4}$/.test(digits) ? `0${digits}` : /^\d{5}$/.test(digits) ? digits : text;
}
