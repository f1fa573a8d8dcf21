import type { Listing, RentPeriod } from '@passerelle/domain';

import type { XmlRecord } from '../../formats/xml-records';
import { type NumberStyle, toCents, toNumber } from '../../kit/clean/number';
import { toMonthlyRent } from '../../kit/clean/rent-period';
import type { RecordContext } from '../../kit/contracts';
import { compilePath } from '../../kit/path';
import { scalarOf, textOf } from '../../kit/scalar';
import { categoryOf } from './category';
import { INTERVALS, REFERENCES, TRANSACTIONS } from './lookups';

/** The fields that depend on what is offered. */
export type Offer = Pick<
  Listing,
  'typeTransaction' | 'prix' | 'prixSurDemande' | 'loyer' | 'loyerPeriode' | 'loyerBase' | 'charges'
>;

const at = {
  gross: compilePath('prices.rent.gross'),
  net: compilePath('prices.rent.net'),
  extra: compilePath('prices.rent.extra'),
  interval: compilePath('prices.rent.@interval'),
  rentReferring: compilePath('prices.rent.@referring'),
  price: compilePath('prices.buy.price'),
  buyReferring: compilePath('prices.buy.@referring'),
  auction: compilePath('prices.auction'),
  livingArea: compilePath('characteristics.areaBwf'),
  netArea: compilePath('characteristics.areaNwf'),
  landArea: compilePath('characteristics.areaPropertyLand'),
};

/** The schema asks for whole numbers: what separates their digits separates thousands. */
const PRICE_STYLE: NumberStyle = { comma: 'thousands', point: 'thousands' };

/** Reads what one property offers, and for how much. Without a price of its kind it is on request. */
export function readOffer(record: XmlRecord, context: RecordContext): Offer {
  const offer: Offer = {};
  const word = textOf(record['type']);
  if (word !== undefined) {
    const known = TRANSACTIONS.find(word);
    if (known === undefined) context.warn('unknown_word', 'type', word.slice(0, 120));
    offer.typeTransaction = known ?? 'autre';
  }
  const prix = whole(at.price(record), at.buyReferring(record), 'prices.buy', record, context);
  if (prix !== undefined) offer.prix = prix;
  Object.assign(offer, rentOf(record, context));
  const auction = amount(at.auction(record), PRICE_STYLE);
  if (auction !== undefined && offer.typeTransaction === 'vente' && offer.prix === undefined) {
    offer.typeTransaction = 'enchere';
    offer.prix = auction;
  }
  if (offer.prix === undefined && offer.loyer === undefined) offer.prixSurDemande = true;
  return offer;
}

/** The gross rent, or the net one with its charges; charges alone are no rent. */
function rentOf(record: XmlRecord, context: RecordContext): Offer {
  const referring = at.rentReferring(record);
  const read = (value: unknown): number | undefined => whole(value, referring, 'prices.rent', record, context);
  const gross = read(at.gross(record));
  const net = read(at.net(record));
  const extra = read(at.extra(record));
  const rent = gross ?? (net === undefined ? undefined : net + (extra ?? 0));
  if (rent === undefined && extra === undefined) return {};
  const period = periodOf(record, context);
  if (period === undefined) return {};
  const offer: Offer = {};
  if (rent !== undefined) {
    offer.loyer = toMonthlyRent(rent, period);
    if (period !== 'mois') offer.loyerPeriode = period;
  }
  if (net !== undefined) offer.loyerBase = toMonthlyRent(net, period);
  if (extra !== undefined) offer.charges = toMonthlyRent(extra, period);
  return offer;
}

/** A rent that does not say its period is by the month; one that is paid once cannot be told by the month. */
function periodOf(record: XmlRecord, context: RecordContext): RentPeriod | undefined {
  const word = textOf(at.interval(record)) ?? 'month';
  const interval = INTERVALS.find(word);
  if (interval === undefined) context.warn('unknown_word', 'prices.rent.@interval', word.slice(0, 120));
  else if (interval === 'once') context.warn('implausible_value', 'prices.rent.@interval', word);
  else return interval;
  return undefined;
}

/** An amount for the whole property, also where the feed gives it by the square metre. */
function whole(
  value: unknown,
  referring: unknown,
  path: string,
  record: XmlRecord,
  context: RecordContext,
): number | undefined {
  const given = amount(value, PRICE_STYLE);
  if (given === undefined) return undefined;
  const word = textOf(referring) ?? 'all';
  const squareMetres = REFERENCES.find(word);
  if (squareMetres === 'all') return given;
  if (squareMetres === undefined) {
    context.warn('unknown_word', `${path}.@referring`, word.slice(0, 120));
    return undefined;
  }
  const area = areaOf(record);
  if (area !== undefined) return toCents((given * area) / squareMetres);
  context.warn('implausible_value', `${path}.@referring`, `${word} without an area`);
  return undefined;
}

/** What a price by the square metre is for: the land of a plot, the living area of everything else. */
function areaOf(record: XmlRecord): number | undefined {
  const land = amount(at.landArea(record));
  const living = amount(at.livingArea(record)) ?? amount(at.netArea(record));
  return categoryOf(record)?.code === 'terrain' ? (land ?? living) : (living ?? land);
}

function amount(value: unknown, style?: NumberStyle): number | undefined {
  const number = toNumber(scalarOf(value), style);
  return number !== undefined && number > 0 ? number : undefined;
}
