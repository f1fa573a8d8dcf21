import type { Listing, RentPeriod } from '@passerelle/domain';
import type { XmlRecord } from '../xml-records';
import { toMonthlyRent } from '../../kit/clean/money';
import { toCents, toNumber } from '../../kit/clean/number';
import type { RecordContext } from '../../kit/contracts';
import { isDoubtful, isOfTheWhole, readPrice, readSalePrice, rentFor } from '../../kit/price';
import { compilePath, scalarOf, textOf } from '../../kit/values';
import { lookUp } from '../../kit/word-table';
import { categoryOf } from './category';
import { INTERVALS, REFERENCES, TRANSACTIONS } from './lookups';

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

const at = {
  rent: compilePath('prices.rent'),
  gross: compilePath('prices.rent.gross'),
  net: compilePath('prices.rent.net'),
  extra: compilePath('prices.rent.extra'),
  interval: compilePath('prices.rent.@interval'),
  rentReferring: compilePath('prices.rent.@referring'),
  buy: compilePath('prices.buy'),
  price: compilePath('prices.buy.price'),
  buyReferring: compilePath('prices.buy.@referring'),
  auction: compilePath('prices.auction'),
  livingArea: compilePath('characteristics.areaBwf'),
  netArea: compilePath('characteristics.areaNwf'),
  landArea: compilePath('characteristics.areaPropertyLand'),
};

/** Without a sale price or a rent, the price is on request, unless the feed has an amount that could not be used. */
export function readOffer(record: XmlRecord, context: RecordContext): Offer {
  const offer: Offer = {};
  const word = textOf(record['type']);
  if (word !== undefined) {
    offer.typeTransaction = lookUp(TRANSACTIONS, word, 'type', context) ?? 'autre';
  }
  // Some exporters write the amount directly into `prices.buy`, without the element `price`.
  const price = { value: scalarOf(at.price(record)) ?? at.buy(record), path: 'prices.buy', isSale: true };
  const prix = whole(price, at.buyReferring(record), record, context);
  if (prix !== undefined) offer.prix = prix;
  Object.assign(offer, rentOf(record, context));
  const auction = readPrice(at.auction(record), 'prices.auction', context);
  if (auction !== undefined && offer.typeTransaction === 'vente' && offer.prix === undefined) {
    offer.typeTransaction = 'enchere';
    offer.prix = auction;
  }
  if (offer.prix === undefined && offer.loyer === undefined && !hasDoubt(record, context)) offer.prixSurDemande = true;
  return offer;
}

/** Whether the feed has an amount that is unreadable or was left out: then the price is not on request. */
function hasDoubt(record: XmlRecord, context: RecordContext): boolean {
  const places = [at.price, at.buy, at.gross, at.rent, at.net, at.auction];
  return places.some((place) => {
    const value = scalarOf(place(record));
    return isDoubtful(value, context) || (toNumber(value) ?? 0) > 0;
  });
}

/** The gross rent, or the net rent with its charges; charges alone are no rent. */
function rentOf(record: XmlRecord, context: RecordContext): Offer {
  const referring = at.rentReferring(record);
  const read = (value: unknown): number | undefined =>
    whole({ value, path: 'prices.rent', isSale: false }, referring, record, context);
  const gross = read(scalarOf(at.gross(record)) ?? at.rent(record));
  const net = read(at.net(record));
  const extra = read(at.extra(record));
  const rent = gross ?? (net === undefined ? undefined : net + (extra ?? 0));
  if (rent === undefined && extra === undefined) return {};
  const period = periodOf(record, context);
  if (period === undefined) return {};
  const offer: Offer = rent === undefined ? {} : rentFor(period, rent);
  if (net !== undefined) offer.loyerBase = offer.loyerHorsCharges = toMonthlyRent(net, period);
  if (gross !== undefined) offer.loyerChargesComprises = toMonthlyRent(gross, period);
  if (extra !== undefined) offer.charges = toMonthlyRent(extra, period);
  return offer;
}

/** A rent without a period is monthly; a single payment cannot be converted to a monthly amount. */
function periodOf(record: XmlRecord, context: RecordContext): RentPeriod | undefined {
  const word = textOf(at.interval(record)) ?? 'month';
  const interval = lookUp(INTERVALS, word, 'prices.rent.@interval', context);
  if (interval !== 'once') return interval;
  context.warn('implausible_value', 'prices.rent.@interval', word);
  return undefined;
}

/** An amount for the whole property, also if the feed gives it per square metre. */
function whole(
  { value, path, isSale }: { value: unknown; path: string; isSale: boolean },
  referring: unknown,
  record: XmlRecord,
  context: RecordContext,
): number | undefined {
  const word = textOf(referring) ?? 'all';
  const squareMetres = REFERENCES.find(word);
  const given = (isSale && squareMetres === 'all' ? readSalePrice : readPrice)(value, path, context);
  if (given === undefined) return undefined;
  if (squareMetres === 'all') return given;
  if (squareMetres === undefined) {
    context.warn('unknown_word', `${path}.@referring`, word.slice(0, 120));
    return undefined;
  }
  const area = areaOf(record);
  const interval = isSale ? undefined : INTERVALS.find(textOf(at.interval(record)) ?? 'month');
  const period = interval === 'once' ? undefined : interval;
  if (area === undefined) context.warn('implausible_value', `${path}.@referring`, `${word} without an area`);
  else if (isOfTheWhole(given / squareMetres, period, categoryOf(record)?.code))
    context.warn('implausible_value', path, `${given} for ${word}`);
  else return toCents((given * area) / squareMetres);
  return undefined;
}

/** The area for a price per square metre: the land of a plot, else the living area. */
function areaOf(record: XmlRecord): number | undefined {
  const land = positive(at.landArea(record));
  const living = positive(at.livingArea(record)) ?? positive(at.netArea(record));
  return categoryOf(record)?.code === 'terrain' ? (land ?? living) : (living ?? land);
}

function positive(value: unknown): number | undefined {
  const number = toNumber(scalarOf(value));
  return number !== undefined && number > 0 ? number : undefined;
}
