import { type NumberStyle, toNumber } from './clean/number';
import type { RecordContext } from './contracts';
import { scalarOf } from './scalar';

/** Nothing is sold for less: such a price is a number with its thousands point taken for a decimal one, or a slip. */
const IMPLAUSIBLE_SALE_PRICE = 1_000;

/**
 * A price or a rent; undefined where there is none to show: nothing, zero, words such as "x" or "nous consulter". Words
 * around digits ("à partir de 590 000 €") are no price either, and are noticed: somebody meant one.
 */
export function readPrice(
  value: unknown,
  field: string,
  context: RecordContext,
  style?: NumberStyle,
): number | undefined {
  const written = scalarOf(value);
  const price = toNumber(written, style);
  if (price === undefined && typeof written === 'string' && /\d/.test(written)) notice(written, field, context);
  return price !== undefined && price > 0 ? price : undefined;
}

/** The same for the price of a sale: one that is too low is kept, and noticed. */
export function readSalePrice(...given: Parameters<typeof readPrice>): number | undefined {
  const [value, field, context] = given;
  const price = readPrice(...given);
  if (price !== undefined && price < IMPLAUSIBLE_SALE_PRICE) notice(String(scalarOf(value)), field, context);
  return price;
}

function notice(written: string, field: string, context: RecordContext): void {
  context.warn('implausible_value', field, written.slice(0, 120));
}
