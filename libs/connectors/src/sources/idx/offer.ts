import { isRental, type Listing, type TypeTransaction } from '@passerelle/domain';

import type { IdxRow } from '../../formats/idx-rows';
import { toCents, toNumber } from '../../kit/clean/number';
import { toMonthlyRent } from '../../kit/clean/rent-period';
import type { RecordContext } from '../../kit/contracts';
import { OFFERS, PRICE_UNITS, type PriceUnit } from './lookups';

/** The fields that depend on the offer and on what the price is for. */
export type Offer = Pick<Listing, 'typeTransaction' | 'prix' | 'prixSurDemande' | 'loyer' | 'loyerPeriode' | 'charges'>;

const PRICE = 18;
const RENT_NET = 19;
const RENT_EXTRA = 20;
const UNIT = 21;

/** Reads what one row offers, and for how much. Without an amount the price is on request. */
export function readOffer(row: IdxRow, context: RecordContext): Offer {
  const unit = unitOf(row, context);
  const typeTransaction = OFFERS.find(row[4] ?? '') ?? unit?.offer;
  const offer: Offer = typeTransaction === undefined ? {} : { typeTransaction };
  if (typeTransaction !== undefined && isRental(typeTransaction)) Object.assign(offer, rentOf(row, unit, context));
  else {
    const prix = priceOf(row, unit, typeTransaction, context);
    if (prix !== undefined) offer.prix = prix;
  }
  if (offer.prix === undefined && offer.loyer === undefined) offer.prixSurDemande = true;
  return offer;
}

function unitOf(row: IdxRow, context: RecordContext): PriceUnit | undefined {
  const word = row[UNIT]?.trim() ?? '';
  if (word === '') return undefined;
  const unit = PRICE_UNITS.find(word);
  if (unit === undefined) context.warn('unknown_word', String(UNIT), word.slice(0, 120));
  return unit;
}

function priceOf(
  row: IdxRow,
  unit: PriceUnit | undefined,
  typeTransaction: TypeTransaction | undefined,
  context: RecordContext,
): number | undefined {
  const price = amount(row, PRICE);
  // A unit that only rents have says nothing about a sale.
  const isPerSquareMetre = unit?.isPerSquareMetre === true && unit.offer === typeTransaction;
  return price !== undefined && isPerSquareMetre ? timesArea(price, row, context) : price;
}

/** The gross rent; without it the net rent and what comes on top of it. */
function rentOf(
  row: IdxRow,
  unit: PriceUnit | undefined,
  context: RecordContext,
): Pick<Offer, 'loyer' | 'loyerPeriode' | 'charges'> {
  const period = unit?.period ?? 'mois';
  const perMonth = (value: number | undefined): number | undefined => {
    const whole = value !== undefined && unit?.isPerSquareMetre === true ? timesArea(value, row, context) : value;
    return whole === undefined ? undefined : toMonthlyRent(whole, period);
  };
  const net = amount(row, RENT_NET);
  const extra = amount(row, RENT_EXTRA);
  const gross = amount(row, PRICE) ?? (net === undefined ? undefined : net + (extra ?? 0));
  const loyer = perMonth(gross);
  const charges = perMonth(extra);
  return {
    ...(loyer === undefined ? {} : { loyer }),
    ...(loyer === undefined || period === 'mois' ? {} : { loyerPeriode: period }),
    ...(charges === undefined ? {} : { charges }),
  };
}

/** A price for the square metre, times the area that is offered: the plot of a plot, else the usable or living area. */
function timesArea(price: number, row: IdxRow, context: RecordContext): number | undefined {
  const isPlot = /^\s*PROP\s*$/i.test(row[2] ?? '');
  const area = isPlot ? (amount(row, 28) ?? amount(row, 29)) : (amount(row, 29) ?? amount(row, 27));
  if (area !== undefined) return toCents(price * area);
  context.warn('implausible_value', String(UNIT), `${row[UNIT] ?? ''} without an area`);
  return undefined;
}

function amount(row: IdxRow, cell: number): number | undefined {
  const value = toNumber(row[cell]);
  return value !== undefined && value > 0 ? value : undefined;
}
