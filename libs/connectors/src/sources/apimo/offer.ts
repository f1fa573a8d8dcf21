import { isRental, type Listing, type Range, type TypeTransaction } from '@passerelle/domain';
import type { JsonRecord } from '../../formats/json-records';
import { toMonthlyRent } from '../../kit/clean/money';
import { toCents } from '../../kit/clean/number';
import { toFlag } from '../../kit/clean/fold-word';
import { range } from '../../kit/collections';
import type { RecordContext } from '../../kit/contracts';
import { isDoubtful, readPrice, readPriceOf, rentFor } from '../../kit/price';
import { compilePath, type ReadValue, scalarOf, textOf } from '../../kit/values';
import * as v from '../../kit/verbs';
import { lookUp } from '../../kit/word-table';
import { CATEGORIES, PERIODS, TRANSACTION_BY_SUBTYPE } from './lookups';

export type Offer = Pick<
  Listing,
  | 'typeTransaction'
  | 'prix'
  | 'prixSurDemande'
  | 'loyer'
  | 'loyerPeriode'
  | 'loyerSource'
  | 'charges'
  | 'coproCharges'
  | 'honoraires'
  | 'honorairesUnite'
  | 'bouquet'
  | 'rente'
  | 'prixPlage'
>;

const price = {
  value: compilePath('price.value'),
  most: compilePath('price.max'),
  hide: compilePath('price.hide'),
  period: compilePath('price.period'),
  fees: compilePath('price.fees'),
  commission: compilePath('price.commission'),
  contribution: compilePath('price.contribution'),
  pension: compilePath('price.pension'),
};
/** A programme also has the price of its most expensive unit. */
const priceRange = v.when<JsonRecord, Range>(
  (record) => Number(scalarOf(price.most(record)) ?? 0) > 0,
  range(v.money('price.value'), v.money('price.max')),
);
const residence = { fees: compilePath('residence.fees'), period: compilePath('residence.period') };
const MONTHS = 12;

export function readOffer(record: JsonRecord, context: RecordContext): Offer {
  const typeTransaction = transactionOf(record, context);
  const isRent = typeTransaction !== undefined && isRental(typeTransaction);
  const isHidden = toFlag(scalarOf(price.hide(record))) === true;
  const amount = (place: ReadValue, path: string): number | undefined => readPrice(place(record), path, context);
  const residenceFees = monthlyResidenceFees(record, context);
  const offer: Offer = {};
  set(offer, 'typeTransaction', typeTransaction);
  if (isRent) {
    if (!isHidden) Object.assign(offer, rentOf(record, context));
    set(offer, 'charges', amount(price.fees, 'price.fees') ?? residenceFees);
  } else {
    if (!isHidden) {
      set(offer, 'prix', readPriceOf(typeTransaction, price.value(record), 'price.value', context));
      set(offer, 'prixPlage', priceRange.read(record, context));
      set(offer, 'bouquet', amount(price.contribution, 'price.contribution'));
      set(offer, 'rente', amount(price.pension, 'price.pension'));
    }
    set(offer, 'coproCharges', residenceFees === undefined ? undefined : toCents(residenceFees * MONTHS));
  }
  const isNone = offer.prix === undefined && offer.loyer === undefined;
  if (isNone && (isHidden || !isDoubtful(price.value(record), context))) offer.prixSurDemande = true;
  const honoraires = amount(price.commission, 'price.commission');
  if (honoraires !== undefined && !isHidden) Object.assign(offer, { honoraires, honorairesUnite: 'montant' });
  return offer;
}

function transactionOf(record: JsonRecord, context: RecordContext): TypeTransaction | undefined {
  const category = textOf(record['category']);
  if (category === undefined) return undefined;
  const known = lookUp(CATEGORIES, category, 'category', context);
  if (known !== 'vente') return known ?? 'autre';
  return TRANSACTION_BY_SUBTYPE[textOf(record['subtype']) ?? ''] ?? known;
}

function rentOf(record: JsonRecord, context: RecordContext): Pick<Offer, 'loyer' | 'loyerPeriode' | 'loyerSource'> {
  const value = readPrice(price.value(record), 'price.value', context);
  const code = textOf(price.period(record));
  if (value === undefined || code === undefined || code === '0') return value === undefined ? {} : { loyer: value };
  const period = lookUp(PERIODS, code, 'price.period', context, 'implausible_value');
  return period === undefined ? {} : rentFor(period, value);
}

/** Charges of the building per month. The amount of the record is monthly, unless the record names another period. */
function monthlyResidenceFees(record: JsonRecord, context: RecordContext): number | undefined {
  const fees = readPrice(residence.fees(record), 'residence.fees', context);
  if (fees === undefined) return undefined;
  const period = lookUp(
    PERIODS,
    textOf(residence.period(record)) ?? '4',
    'residence.period',
    context,
    'implausible_value',
  );
  return period === undefined ? undefined : toMonthlyRent(fees, period);
}

function set<K extends keyof Offer>(offer: Offer, key: K, value: Offer[K] | undefined): void {
  if (value !== undefined) offer[key] = value;
}
