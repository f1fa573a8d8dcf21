import type { Listing, RentPeriod, TypeCode, TypeTransaction } from '@passerelle/domain';
import { toMonthlyRent } from './clean/money';
import { type NumberStyle, readNumber, toCents, toNumber } from './clean/number';
import type { RecordContext } from './contracts';
import { styleOf } from './number-style';
import { scalarOf } from './values';

/** No property is sold for less: such a price is a typing error. */
const IMPLAUSIBLE_SALE_PRICE = 1_000;
/** `2,35 M€`, `350 k€`, `1.2 millions d'euros`, `CHF 1.2 Mio.` */
const IN_THOUSANDS_OR_MILLIONS =
  /^(?:(?:[€$£]|eur|chf)\s*)?(\d[\d\s.,'’]*)(m|k|€\s?m|€\s?k|mio\.?|millions?)\s*(?:€|eur|euros?|chf|d['’]\s?euros?)?$/i;
const CURRENCY = /[€$£]|eur|chf/i;
const LONGEST = 60;

/**
 * Reads an amount. If it is unreadable, the result is undefined, with a warning. Empty values, zero and words such as
 * "x" give undefined without a warning.
 */
export function readPrice(
  value: unknown,
  field: string,
  context: RecordContext,
  style?: NumberStyle,
): number | undefined {
  return readAtLeast(0, value, field, context, style);
}

/**
 * Reads the price of a sale. A price that is too low gives a warning. It is kept if it is a whole number; `1.25`
 * probably means millions.
 */
export function readSalePrice(
  value: unknown,
  field: string,
  context: RecordContext,
  style?: NumberStyle,
): number | undefined {
  return readAtLeast(IMPLAUSIBLE_SALE_PRICE, value, field, context, style);
}

/**
 * Reads the price of an offer that is not a rental. Every known transaction is a sale; with an unknown one, a low price
 * is accepted.
 */
export function readPriceOf(
  typeTransaction: TypeTransaction | undefined,
  value: unknown,
  field: string,
  context: RecordContext,
  style?: NumberStyle,
): number | undefined {
  const isSale = typeTransaction !== undefined && typeTransaction !== 'autre';
  return (isSale ? readSalePrice : readPrice)(value, field, context, style);
}

/** Whether an amount in digits cannot be read: then there is no price, and it is not "on request" either. */
export function isDoubtful(value: unknown, context: RecordContext, style?: NumberStyle): boolean {
  const { amount, isDoubtful } = assess(value, styleOf(context, 'amounts', style));
  return isDoubtful || (amount !== undefined && wasScaled(amount));
}

/**
 * The highest plausible amounts per square metre: for sales, and per month for rents of business premises and of other
 * properties.
 */
const DEAREST_SQUARE_METRE = { sale: 150_000, business: 1_000, rent: 100 } as const;
const BUSINESS: ReadonlySet<TypeCode | undefined> = new Set<TypeCode>(['boutique', 'bureau', 'local']);

/**
 * Whether an amount "per m²" must be the whole price, because it is too high for one square metre. A sale has no
 * `period`.
 */
export function isOfTheWhole(amount: number, period: RentPeriod | undefined, typeCode: TypeCode | undefined): boolean {
  if (period === undefined) return amount > DEAREST_SQUARE_METRE.sale;
  return toMonthlyRent(amount, period) > DEAREST_SQUARE_METRE[BUSINESS.has(typeCode) ? 'business' : 'rent'];
}

/**
 * Converts an amount to a monthly rent. If the period is not the month, `loyerPeriode` and `loyerSource` keep the
 * period and amount of the feed.
 */
export function rentFor(period: RentPeriod, amount: number): Pick<Listing, 'loyer' | 'loyerPeriode' | 'loyerSource'> {
  const loyer = toMonthlyRent(amount, period);
  return period === 'mois'
    ? { loyer }
    : { loyer, loyerPeriode: period, loyerSource: { montant: amount, periode: period } };
}

function readAtLeast(
  least: number,
  value: unknown,
  field: string,
  context: RecordContext,
  style: NumberStyle | undefined,
): number | undefined {
  const { amount, isNoticed } = assess(value, styleOf(context, 'amounts', style));
  if (isNoticed || (amount !== undefined && amount < least))
    context.warn('implausible_value', field, String(scalarOf(value)).slice(0, 120));
  return amount !== undefined && amount < least && wasScaled(amount) ? undefined : amount;
}

/** Whether a price is probably in thousands or millions, with the unit missing. */
function wasScaled(amount: number): boolean {
  return amount < IMPLAUSIBLE_SALE_PRICE && !Number.isInteger(amount);
}

interface Assessment {
  amount?: number;
  /** Whether to warn, because the text means a price that cannot be read. */
  isNoticed: boolean;
  isDoubtful: boolean;
}

const NOTHING: Assessment = { isNoticed: false, isDoubtful: false };
const IN_DOUBT: Assessment = { isNoticed: true, isDoubtful: true };
const NOT_UNDERSTOOD: Assessment = { isNoticed: true, isDoubtful: false };

function assess(value: unknown, style: NumberStyle): Assessment {
  const written = scalarOf(value);
  const amount = readScaled(written, style) ?? readNumber(written, style);
  if (amount === 'doubtful') return IN_DOUBT;
  if (amount === undefined) {
    if (typeof written !== 'string' || !/\d/.test(written)) return NOTHING;
    return /\p{L}/u.test(written) ? NOT_UNDERSTOOD : IN_DOUBT;
  }
  if (amount > 0) return { amount, isNoticed: false, isDoubtful: false };
  return amount === 0 || amount === style.unknown ? NOTHING : IN_DOUBT;
}

/** Reads amounts in thousands and millions. The separator of an amount in millions is a decimal separator. */
function readScaled(written: unknown, style: NumberStyle): number | 'doubtful' | undefined {
  if (typeof written !== 'string' || written.length > LONGEST) return undefined;
  const [, digits = '', scale = ''] = IN_THOUSANDS_OR_MILLIONS.exec(written.trim()) ?? [];
  // Without a currency `m` means metres, or a month.
  if (scale === '' || (scale === 'm' && !CURRENCY.test(written))) return undefined;
  const isThousands = /k/i.test(scale);
  const amount = isThousands ? readNumber(digits, style) : toNumber(digits);
  if (amount === undefined || amount === 'doubtful') return amount;
  return toCents(amount * (isThousands ? 1_000 : 1_000_000));
}
