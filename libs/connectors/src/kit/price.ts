import { type NumberStyle, toNumber } from './clean/number';
import type { RecordContext } from './contracts';
import { scalarOf } from './scalar';

/** Nothing is sold for less: such a price is a number with its thousands point taken for a decimal one, or a slip. */
const IMPLAUSIBLE_SALE_PRICE = 1_000;
const POINT_OF_THOUSANDS = /^\s*\d{1,3}\.\d{3}\D*$/;

/**
 * A price or a rent; undefined where there is none to show: nothing, zero, words such as "x" or "nous consulter". Words
 * around digits ("à partir de 590 000 €") are no price either, and are noticed: somebody meant one. `235.000` is noticed
 * as well, and is 235, unless the feed's style says what its point means.
 */
export function readPrice(
  value: unknown,
  field: string,
  context: RecordContext,
  style: NumberStyle = {},
): number | undefined {
  return readAtLeast(0, value, field, context, style);
}

/** The same for the price of a sale: one that is too low is kept, and noticed. */
export function readSalePrice(
  value: unknown,
  field: string,
  context: RecordContext,
  style: NumberStyle = {},
): number | undefined {
  return readAtLeast(IMPLAUSIBLE_SALE_PRICE, value, field, context, style);
}

function readAtLeast(
  least: number,
  value: unknown,
  field: string,
  context: RecordContext,
  style: NumberStyle,
): number | undefined {
  const written = scalarOf(value);
  const text = typeof written === 'string' ? written : '';
  const price = toNumber(written, style);
  const isDoubtful =
    price === undefined
      ? /\d/.test(text)
      : (price > 0 && price < least) || (style.point === undefined && POINT_OF_THOUSANDS.test(text));
  if (isDoubtful) context.warn('implausible_value', field, String(written).slice(0, 120));
  return price !== undefined && price > 0 ? price : undefined;
}
