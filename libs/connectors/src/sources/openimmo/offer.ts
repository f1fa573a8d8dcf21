import type { Listing, RentPeriod, TypeTransaction } from '@passerelle/domain';

import type { XmlRecord } from '../../formats/xml-records';
import { toFlag } from '../../kit/clean/flag';
import { toCents } from '../../kit/clean/number';
import { toMonthlyRent } from '../../kit/clean/rent-period';
import type { RecordContext } from '../../kit/contracts';
import { compilePath, type ReadValue } from '../../kit/path';
import { readPrice, readSalePrice } from '../../kit/price';
import { scalarOf, textOf } from '../../kit/scalar';
import { attributeOf, trueAttributes } from './attributes';
import { type Fees, feesOf } from './fees';
import { MARKETING, PERIODS } from './lookups';
import { isHolidayHome, isInvestment } from './property-type';

/** The fields that depend on what is offered. */
export type Offer = Pick<
  Listing,
  'typeTransaction' | 'typeTransactionSource' | 'prix' | 'prixSurDemande' | 'loyer' | 'loyerPeriode' | 'charges'
> &
  Fees;

const at = {
  marketing: compilePath('objektkategorie.vermarktungsart'),
  usage: compilePath('objektkategorie.nutzungsart'),
  auction: compilePath('versteigerung.zwangsversteigerung'),
  price: compilePath('preise.kaufpreis'),
  period: compilePath('preise.preis_zeiteinheit'),
};
const PRICES = amounts('preise.kaufpreis', 'preise.kaufpreisbrutto', 'preise.kaufpreisnetto');
const WARM_RENT = amounts('preise.warmmiete');
const COLD_RENT = amounts('preise.kaltmiete');
const EXTRAS = amounts('preise.nebenkosten');
/** Where there is neither a warm rent nor a cold one. */
const OTHER_RENTS = amounts(
  'preise.nettokaltmiete',
  'preise.pacht',
  'preise.pauschalmiete',
  'preise.gesamtbelastungbrutto',
  'preise.gesamtmietebrutto',
  'preise.gesamtmietenetto',
  'preise.hauptmietzinsnetto',
);

/** Reads what one object offers, and for how much. One that is for sale and for rent keeps both prices, and is a sale. */
export function readOffer(record: XmlRecord, context: RecordContext): Offer {
  const words = marketingWords(record);
  const ways = words.map((word) => MARKETING.find(word));
  words.forEach((word, index) => {
    if (ways[index] === undefined) context.warn('unknown_word', 'objektkategorie.vermarktungsart', word.slice(0, 120));
  });
  const isNamedSale = ways.includes('sale');
  const price = firstAmount(PRICES, record, context, isNamedSale ? readSalePrice : readPrice);
  const charges = firstAmount(EXTRAS, record, context);
  const rent = rentOf(record, charges, context);
  const isSale = words.length === 0 ? price !== undefined : isNamedSale;
  const isRent = words.length === 0 ? rent !== undefined : ways.includes('rent');
  const period = periodOf(record, context);
  const offer: Offer = {};
  const typeTransaction = isSale
    ? saleType(record)
    : isRent
      ? rentType(record)
      : words.length > 0
        ? 'autre'
        : undefined;
  if (typeTransaction !== undefined) offer.typeTransaction = typeTransaction;
  if (words.length > 0) offer.typeTransactionSource = words.join(', ');
  const isHidden = toFlag(scalarOf(attributeOf(at.price(record), 'auf_anfrage'))) === true;
  if ((isSale || !isRent) && price !== undefined && !isHidden) offer.prix = price;
  if (isRent && rent !== undefined && period !== undefined) Object.assign(offer, monthly(rent, period));
  if ((isSale && isHidden) || (offer.prix === undefined && offer.loyer === undefined)) offer.prixSurDemande = true;
  if (charges !== undefined) offer.charges = isRent && period !== undefined ? toMonthlyRent(charges, period) : charges;
  return { ...offer, ...feesOf(record, isRent && !isSale) };
}

/** The attributes of `vermarktungsart` that are true; some exports write a word instead. */
function marketingWords(record: XmlRecord): string[] {
  const element = at.marketing(record);
  const attributes = trueAttributes(element);
  if (attributes.length > 0) return attributes;
  return textOf(element)?.split(/[\s,;]+/) ?? [];
}

function saleType(record: XmlRecord): TypeTransaction {
  if (toFlag(scalarOf(at.auction(record))) === true) return 'enchere';
  return isInvestment(record) || trueAttributes(at.usage(record)).includes('ANLAGE') ? 'investissement' : 'vente';
}

function rentType(record: XmlRecord): TypeTransaction {
  return isHolidayHome(record) ? 'location-saisonniere' : 'location';
}

/** With charges where the object says so much: warm rent, else cold rent and charges, else what there is. */
function rentOf(record: XmlRecord, charges: number | undefined, context: RecordContext): number | undefined {
  const warm = firstAmount(WARM_RENT, record, context);
  if (warm !== undefined) return warm;
  const cold = firstAmount(COLD_RENT, record, context);
  if (cold !== undefined) return toCents(cold + (charges ?? 0));
  return firstAmount(OTHER_RENTS, record, context);
}

/** Undefined for a word that is not known: a rent without its period says nothing. */
function periodOf(record: XmlRecord, context: RecordContext): RentPeriod | undefined {
  const element = at.period(record);
  const word = textOf(attributeOf(element, 'zeiteinheit')) ?? textOf(element);
  if (word === undefined) return 'mois';
  const period = PERIODS.find(word);
  if (period === undefined) context.warn('implausible_value', 'preise.preis_zeiteinheit', word.slice(0, 120));
  return period;
}

function monthly(rent: number, period: RentPeriod): Pick<Offer, 'loyer' | 'loyerPeriode'> {
  return { loyer: toMonthlyRent(rent, period), ...(period === 'mois' ? {} : { loyerPeriode: period }) };
}

type Place = readonly [path: string, read: ReadValue];

function amounts(...paths: string[]): readonly Place[] {
  return paths.map((path) => [path, compilePath(path)]);
}

function firstAmount(
  places: readonly Place[],
  record: XmlRecord,
  context: RecordContext,
  read = readPrice,
): number | undefined {
  for (const [path, valueAt] of places) {
    const found = read(valueAt(record), path, context);
    if (found !== undefined) return found;
  }
  return undefined;
}
