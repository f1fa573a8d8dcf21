import type { Listing, RentPeriod, TypeTransaction } from '@passerelle/domain';
import { toMonthlyRent } from './clean/money';
import { type NumberStyle, toNumber } from './clean/number';
import type { RecordContext } from './contracts';
import { scalarOf } from './values';

/** Nothing is sold for less. Such a price is a typing error, or its thousands point was read as a decimal one. */
const IMPLAUSIBLE_SALE_PRICE = 1_000;
const POINT_OF_THOUSANDS = /^\s*\d{1,3}\.\d{3}\D*$/;

/**
 * Reads a price or a rent. Nothing, zero and words such as "x" or "nous consulter" give undefined. Words around digits
 * ("à partir de 590 000 €") give undefined and a warning, as the agency meant a price. `235.000` gives 235 and a warning,
 * unless the feed's style says what its point means.
 */
export function readPrice(
  value: unknown,
  field: string,
  context: RecordContext,
  style: NumberStyle = {},
): number | undefined {
  return readAtLeast(0, value, field, context, style);
}

/** The same, for the price of a sale: one that is too low is kept, with a warning. */
export function readSalePrice(
  value: unknown,
  field: string,
  context: RecordContext,
  style: NumberStyle = {},
): number | undefined {
  return readAtLeast(IMPLAUSIBLE_SALE_PRICE, value, field, context, style);
}

/** The same, for an offer that is not a rental. An unknown transaction may have a low price, every other one is a sale. */
export function readPriceOf(
  typeTransaction: TypeTransaction | undefined,
  value: unknown,
  field: string,
  context: RecordContext,
  style: NumberStyle = {},
): number | undefined {
  const isSale = typeTransaction !== undefined && typeTransaction !== 'autre';
  return (isSale ? readSalePrice : readPrice)(value, field, context, style);
}

/** Converts a rent to a month. `loyerPeriode` keeps the period of the feed when it is another one. */
export function rentFor(period: RentPeriod, amount: number): Pick<Listing, 'loyer' | 'loyerPeriode'> {
  const loyer = toMonthlyRent(amount, period);
  return period === 'mois' ? { loyer } : { loyer, loyerPeriode: period };
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
