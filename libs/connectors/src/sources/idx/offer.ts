import { isRental, type Listing, type RentPeriod, type TypeTransaction } from '@passerelle/domain';
import type { IdxRow } from '../../formats/idx-rows';
import { toMonthlyRent } from '../../kit/clean/money';
import { type NumberStyle, readNumber, toCents, toNumber } from '../../kit/clean/number';
import type { RecordContext } from '../../kit/contracts';
import { isDoubtful, isOfTheWhole, readPrice, readSalePrice, rentFor } from '../../kit/price';
import { lookUp } from '../../kit/word-table';
import { kindOf } from './kind';
import { OFFERS, PRICE_UNITS, type PriceUnit } from './lookups';

export type Offer = Pick<
  Listing,
  | 'typeTransaction'
  | 'prix'
  | 'prixSurDemande'
  | 'loyer'
  | 'loyerPeriode'
  | 'loyerSource'
  | 'loyerBase'
  | 'charges'
  | 'loyerHorsCharges'
  | 'loyerChargesComprises'
>;

const PRICE = 18;
const RENT_NET = 19;
const RENT_EXTRA = 20;
const UNIT = 21;

/** Without an amount the price is on request. */
export function readOffer(row: IdxRow, context: RecordContext): Offer {
  const unit = unitOf(row, context);
  const typeTransaction = OFFERS.find(row[4] ?? '') ?? unit?.offer;
  const offer: Offer = typeTransaction === undefined ? {} : { typeTransaction };
  if (typeTransaction !== undefined && isRental(typeTransaction)) {
    // With an unknown unit the amounts have no meaning, but the price is not on request either.
    if (unit === undefined && (row[UNIT]?.trim() ?? '') !== '') return offer;
    Object.assign(offer, rentOf(row, unit, context));
  } else {
    const prix = priceOf(row, unit, typeTransaction, context);
    if (prix !== undefined) offer.prix = prix;
  }
  if (offer.prix === undefined && offer.loyer === undefined && !hasDoubt(row, context)) offer.prixSurDemande = true;
  return offer;
}

function unitOf(row: IdxRow, context: RecordContext): PriceUnit | undefined {
  return lookUp(PRICE_UNITS, row[UNIT]?.trim() || undefined, String(UNIT), context);
}

function priceOf(
  row: IdxRow,
  unit: PriceUnit | undefined,
  typeTransaction: TypeTransaction | undefined,
  context: RecordContext,
): number | undefined {
  // A unit that only rents have is ignored for a sale.
  const isPerSquareMetre = unit?.isPerSquareMetre === true && unit.offer === typeTransaction;
  const price = amount(row, PRICE, context, isPerSquareMetre ? readPrice : readSalePrice);
  if (price === undefined || !isPerSquareMetre) return price;
  const area = areaOf(row, context);
  if (area === undefined || isNoticedWhole(row, PRICE, price, undefined, context)) return undefined;
  return toCents(price * area);
}

/** The gross rent, or without it the net rent plus the extra costs. */
function rentOf(
  row: IdxRow,
  unit: PriceUnit | undefined,
  context: RecordContext,
): Omit<Offer, 'typeTransaction' | 'prix' | 'prixSurDemande'> {
  const period = unit?.period ?? 'mois';
  const isPerSquareMetre = unit?.isPerSquareMetre === true && isRental(unit.offer);
  // A unit that only sales have is ignored for a rent, with a warning.
  if (unit?.isPerSquareMetre === true && !isPerSquareMetre) notice(row, 'of a rent', context);
  const area = isPerSquareMetre ? areaOf(row, context) : 1;
  if (area === undefined) return {};
  const whole = (value: number): number => toCents(value * area);
  const perMonth = (value: number | undefined): number | undefined =>
    value === undefined ? undefined : toMonthlyRent(whole(value), period);
  const net = amount(row, RENT_NET, context);
  const extra = amount(row, RENT_EXTRA, context);
  const withCharges = amount(row, PRICE, context);
  if (isPerSquareMetre && isNoticedWhole(row, PRICE, withCharges ?? net ?? extra, period, context)) return {};
  const gross = withCharges ?? (net === undefined ? undefined : net + (extra ?? 0));
  const loyerBase = perMonth(net);
  const charges = perMonth(extra);
  const loyerChargesComprises = perMonth(withCharges);
  return {
    ...(gross === undefined ? {} : rentFor(period, whole(gross))),
    ...(loyerBase === undefined ? {} : { loyerBase, loyerHorsCharges: loyerBase }),
    ...(loyerChargesComprises === undefined ? {} : { loyerChargesComprises }),
    ...(charges === undefined ? {} : { charges }),
  };
}

/** The area to multiply by a price per square metre: the land of a plot, else the usable or living area. */
function areaOf(row: IdxRow, context: RecordContext): number | undefined {
  const isPlot = /^\s*PROP\s*$/i.test(row[2] ?? '');
  const area = isPlot ? (measure(row, 28) ?? measure(row, 29)) : (measure(row, 29) ?? measure(row, 27));
  if (area === undefined) notice(row, 'without an area', context);
  return area;
}

/** Whether an amount per square metre can only be the total. It then gives a warning, and the caller omits it. */
function isNoticedWhole(
  row: IdxRow,
  cell: number,
  value: number | undefined,
  period: RentPeriod | undefined,
  context: RecordContext,
): boolean {
  if (value === undefined || !isOfTheWhole(value, period, kindOf(row)?.code)) return false;
  context.warn('implausible_value', String(cell), `${value} ${row[UNIT] ?? ''}`);
  return true;
}

function notice(row: IdxRow, what: string, context: RecordContext): void {
  context.warn('implausible_value', String(UNIT), `${row[UNIT] ?? ''} ${what}`);
}

/** `Fr. 1'200.–`, with any apostrophe and any dash. */
const FRANCS = /^\s*S?Frs?\b\.?\s*/i;
const APOSTROPHES = /[`´]/g;
const DASHES = /[–—]/g;

function amount(row: IdxRow, cell: number, context: RecordContext, read = readPrice): number | undefined {
  return read(written(row, cell), String(cell), context);
}

/** Whether the record has a price that is unreadable or was omitted: such a price is not "price on request". */
function hasDoubt(row: IdxRow, context: RecordContext): boolean {
  return [PRICE, RENT_NET].some((cell) => {
    const value = written(row, cell);
    return isDoubtful(value, context) || (toNumber(value) ?? 0) > 0;
  });
}

function written(row: IdxRow, cell: number): string | undefined {
  return row[cell]?.replace(FRANCS, '').replace(APOSTROPHES, "'").replace(DASHES, '-');
}

/** Reads a size without a warning, because the published field already warns about an unreadable value. */
function measure(row: IdxRow, cell: number): number | undefined {
  const value = readNumber(row[cell], AREA_STYLE);
  return typeof value === 'number' && value > 0 ? value : undefined;
}

/** Areas may be the result of a calculation: their separators mark decimals, not thousands. */
const AREA_STYLE: NumberStyle = { point: 'fraction', comma: 'fraction' };
