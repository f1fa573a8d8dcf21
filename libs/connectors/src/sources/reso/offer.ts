import { isRental, type Listing, type TypeTransaction } from '@passerelle/domain';
import type { JsonRecord } from '../../formats/json-records';
import { type NumberStyle, toCents, toNumber } from '../../kit/clean/number';
import type { RecordContext } from '../../kit/contracts';
import { isDoubtful, readPrice, readSalePrice } from '../../kit/price';
import { scalarOf, textOf } from '../../kit/values';
import { lookUp } from '../../kit/word-table';
import { FREQUENCIES, type Frequency, PRICE_UNITS, squeezed, TRANSACTIONS } from './lookups';
import { offerOf } from '../../formats/several-offers';

/** `ListPrice` is a price or a rent. */
export type Offer = Pick<
  Listing,
  'typeTransaction' | 'prix' | 'prixSurDemande' | 'prixPlage' | 'loyer' | 'loyerPeriode' | 'loyerSource'
>;

export const DIGITS: NumberStyle = { comma: 'thousands' };
const SOLD = /(?:sale|sell|purchase)$/;
const SAYS_SALE = /sale|sell|purchase/i;
const SAYS_LEASE = /lease|rent/i;
const LET = /(?:lease|rental|rentals|forrent)$/;

/** `For Sale or Lease`: both words in one value. The rental keeps the identifier, because it was served before. */
export function offersOf(record: JsonRecord): readonly TypeTransaction[] {
  const said = squeezed(textOf(record['TransactionType']) ?? '');
  if (!SAYS_SALE.test(said) || !SAYS_LEASE.test(said)) return [];
  const known = TRANSACTIONS.find(textOf(record['PropertyType']) ?? '');
  return ['location', known === undefined || isRental(known) ? 'vente' : known];
}

export function mayBeSeveral(bytes: Buffer): boolean {
  const at = bytes.indexOf('"TransactionType"');
  if (at === -1) return false;
  const text = bytes.toString('latin1', at, at + 120);
  return SAYS_SALE.test(text) && SAYS_LEASE.test(text);
}

/** Without an amount the price is on request. */
export function readOffer(record: JsonRecord, context: RecordContext): Offer {
  const typeTransaction = transactionOf(record, context);
  const offer: Offer = typeTransaction === undefined ? {} : { typeTransaction };
  if (typeTransaction !== undefined && isRental(typeTransaction)) Object.assign(offer, rentOf(record, context));
  else {
    const prix = readSalePrice(record['ListPrice'], 'ListPrice', context, DIGITS);
    if (prix !== undefined && unitOf(record, 'ListPrice', context) === 'whole') offer.prix = prix;
    const least = readPrice(record['ListPriceLow'], 'ListPriceLow', context, DIGITS);
    if (least !== undefined && least !== prix && (prix === undefined || least < prix))
      offer.prixPlage = { min: least, ...(prix !== undefined && { max: prix }) };
  }
  const isNone = offer.prix === undefined && offer.loyer === undefined && offer.prixPlage === undefined;
  if (isNone && !hasDoubt(record, context)) offer.prixSurDemande = true;
  return offer;
}

/** Servers add one of these members to the Data Dictionary. */
const UNIT_FIELDS = {
  ListPrice: ['ListPriceUnit', 'ListPriceUnits', 'PriceUnit', 'ListPricePer', 'LeaseAmountPerAreaUnit'],
  LeaseAmount: ['LeaseAmountUnit', 'LeaseAmountUnits', 'LeaseAmountPerAreaUnit', 'RentUnit'],
} as const;

/** Whether an amount is for the whole, for the whole per period, or, with a warning, for a part only. */
function unitOf(
  record: JsonRecord,
  field: keyof typeof UNIT_FIELDS,
  context: RecordContext,
): Frequency | 'whole' | 'part' {
  for (const unitField of UNIT_FIELDS[field]) {
    const word = textOf(record[unitField]);
    if (word === undefined) continue;
    const unit = PRICE_UNITS.find(word) ?? FREQUENCIES.find(word);
    if (unit === 'whole' || typeof unit === 'object') return unit;
    context.warn('implausible_value', field, `${textOf(record[field]) ?? ''} per ${word}`.slice(0, 120));
    return 'part';
  }
  return 'whole';
}

/** An unreadable amount is not "on request", and neither is one for a part of the property. */
function hasDoubt(record: JsonRecord, context: RecordContext): boolean {
  if (amount(record, 'ListPrice') !== undefined || amount(record, 'LeaseAmount') !== undefined) return true;
  return ['ListPrice', 'LeaseAmount'].some((field) => isDoubtful(record[field], context, DIGITS));
}

/**
 * If the type is unknown, the fields for a sale or a letting decide. Without such fields the result is `autre` with a
 * warning, not a guess.
 */
function transactionOf(record: JsonRecord, context: RecordContext): TypeTransaction | undefined {
  const type = textOf(record['PropertyType']);
  const said = textOf(record['TransactionType']);
  const wanted = offerOf(record);
  if (wanted !== undefined) return wanted;
  const known = type === undefined ? undefined : LET.test(squeezed(type)) ? 'location' : TRANSACTIONS.find(type);
  const isLet = said !== undefined && LET.test(squeezed(said));
  if (isLet) return known !== undefined && isRental(known) ? known : 'location';
  // Some servers let under a type for sale: only the amount shows it.
  if (known !== undefined && !isRental(known) && amount(record, 'ListPrice') === undefined)
    return amount(record, 'LeaseAmount') === undefined ? known : 'location';
  if (known !== undefined) return known;
  if (said !== undefined && SOLD.test(squeezed(said))) return 'vente';
  if (textOf(record['LeaseAmount']) !== undefined || textOf(record['LeaseAmountFrequency']) !== undefined)
    return 'location';
  if (type === undefined) return undefined;
  // If the record has a subtype, no other field would warn about the unknown type.
  if (textOf(record['PropertySubType']) !== undefined) context.warn('unknown_word', 'PropertyType', type.slice(0, 120));
  return 'autre';
}

/** The rent: `LeaseAmount`, else `ListPrice`. Its period is `LeaseAmountFrequency`, or a month if that is missing. */
function rentOf(record: JsonRecord, context: RecordContext): Pick<Offer, 'loyer' | 'loyerPeriode' | 'loyerSource'> {
  const lease = readPrice(record['LeaseAmount'], 'LeaseAmount', context, DIGITS);
  // With two offers, `ListPrice` is the price of the sale.
  const rent =
    lease ?? (offerOf(record) === undefined ? readPrice(record['ListPrice'], 'ListPrice', context, DIGITS) : undefined);
  if (rent === undefined) return {};
  const unit = unitOf(record, lease === undefined ? 'ListPrice' : 'LeaseAmount', context);
  if (unit === 'part') return {};
  const said = textOf(record['LeaseAmountFrequency']);
  const frequency =
    said === undefined && typeof unit === 'object' ? unit : frequencyOf(record, 'LeaseAmountFrequency', context);
  if (frequency === undefined) return {};
  const { perMonth, period } = frequency;
  const loyer = perMonth === 1 ? rent : toCents(rent * perMonth);
  if (period === undefined || period === 'mois') return { loyer };
  return { loyer, loyerPeriode: period, loyerSource: { montant: rent, periode: period } };
}

const MONTHLY: Frequency = { perMonth: 1, period: 'mois' };

/** Undefined for a frequency that cannot be converted to a month: an amount paid once, or per season. */
export function frequencyOf(record: JsonRecord, field: string, context: RecordContext): Frequency | undefined {
  const word = textOf(record[field]);
  return word === undefined ? MONTHLY : lookUp(FREQUENCIES, word, field, context, 'implausible_value');
}

/** Zero is no amount. */
export function amount(record: JsonRecord, field: string): number | undefined {
  const value = toNumber(scalarOf(record[field]), DIGITS);
  return value !== undefined && value > 0 ? value : undefined;
}
