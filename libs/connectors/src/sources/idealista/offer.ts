import { isRental, type TypeTransaction } from '@passerelle/domain';
import type { JsonRecord } from '../../formats/json-records';
import { toFlag } from '../../kit/clean/fold-word';
import { toNumber } from '../../kit/clean/number';
import type { RecordContext } from '../../kit/contracts';
import type { Offer } from '../../kit/offer';
import { isDoubtful, readPrice, readPriceOf, readSalePrice } from '../../kit/price';
import { together } from '../../kit/together';
import { compilePath, listOf, scalarOf, textOf } from '../../kit/values';
import * as v from '../../kit/verbs';
import { lookUp } from '../../kit/word-table';
import { isPromotion } from './developments';
import { OPERATIONS } from './lookups';

const PRICE = 'propertyOperation.operationPrice';
const TRANSFER = 'propertyOperation.operationPriceTransfer';
const TO_OWN = 'propertyOperation.operationPriceToOwn';
const TYPE = 'propertyOperation.operationType';
const at = {
  price: compilePath(PRICE),
  operationTransfer: compilePath(TRANSFER),
  toOwn: compilePath(TO_OWN),
  type: compilePath(TYPE),
  // Exports that are newer than the public schemas have this price among the features.
  featuresTransfer: compilePath('propertyFeatures.featuresPriceTransfer'),
  isAuction: compilePath('propertyFeatures.featuresAuction'),
  isTransfer: compilePath('propertyFeatures.featuresIsATransfer'),
  isHidden: compilePath('propertyFeatures.featuresHiddenPrice'),
  isSeasonal: compilePath('propertyFeatures.featuresSeasonalRental'),
  isShortTerm: compilePath('propertyFeatures.featuresShortTerm'),
};

interface PricedOffer extends Offer {
  depotGarantie?: number;
}

const depositMonths = v.decimal('propertyOperation.operationDepositMonths');

/** One operation with one price. The takeover of a business has two prices: that of the takeover and the rent. */
export const offers = together<JsonRecord, PricedOffer>((record, context) => {
  // The schema allows one operation. If there are several, the first is used, with a warning.
  const operations = listOf(record['propertyOperation']).length;
  if (operations > 1) context.warn('implausible_value', 'propertyOperation', `${operations} operations`);
  const typeTransaction = transactionOf(record, context);
  const result: PricedOffer = typeTransaction === undefined ? {} : { typeTransaction };
  const isHidden = hidesPrice(record);
  if (!isHidden) addPrices(result, record, context);
  const isNone = result.prix === undefined && result.loyer === undefined;
  const hasDoubt = [at.price, transferOf].some((place) => isDoubtful(place(record), context));
  // The rent of a short let exists, so it is not on request. But it has no period and cannot be converted to a month.
  const isUntold = isYes(at.isShortTerm(record)) && (toNumber(scalarOf(at.price(record))) ?? 0) > 0;
  if (isNone && (isHidden || !(hasDoubt || isUntold))) result.prixSurDemande = true;
  return result;
});

function transactionOf(record: JsonRecord, context: RecordContext): TypeTransaction | undefined {
  const word = textOf(at.type(record));
  if (word === undefined) return isPromotion(record) ? 'programme' : undefined;
  const operation = lookUp(OPERATIONS, word, TYPE, context) ?? 'autre';
  if (operation !== 'autre' && (isYes(at.isTransfer(record)) || isPositive(transferOf(record))))
    return 'cession-de-bail';
  if (operation === 'vente' && isYes(at.isAuction(record))) return 'enchere';
  const isForATime = isYes(at.isSeasonal(record)) || isYes(at.isShortTerm(record));
  return operation === 'location' && isForATime ? 'location-saisonniere' : operation;
}

function addPrices(result: PricedOffer, record: JsonRecord, context: RecordContext): void {
  const { typeTransaction } = result;
  const isLet = OPERATIONS.find(textOf(at.type(record)) ?? '') === 'location';
  if (isLet) addRent(result, record, context);
  if (typeTransaction === 'cession-de-bail') {
    const [value, field] =
      isPositive(transferOf(record)) || isLet ? [transferOf(record), TRANSFER] : [at.price(record), PRICE];
    setPrice(result, readPrice(value, field, context));
  } else if (typeTransaction !== undefined && isRental(typeTransaction)) {
    setPrice(result, readSalePrice(at.toOwn(record), TO_OWN, context));
  } else {
    setPrice(result, readPriceOf(typeTransaction, at.price(record), PRICE, context));
  }
}

function setPrice(result: PricedOffer, prix: number | undefined): void {
  if (prix !== undefined) result.prix = prix;
}

/** Rents are monthly. The rent of a short let has no period and is omitted. */
function addRent(result: PricedOffer, record: JsonRecord, context: RecordContext): void {
  const loyer = readPrice(at.price(record), PRICE, context);
  if (loyer === undefined) return;
  if (isYes(at.isShortTerm(record))) {
    context.warn('implausible_value', PRICE, `${loyer}: a short let without a period`);
    return;
  }
  result.loyer = loyer;
  const months = depositMonths.read(record, context);
  if (months !== undefined && months > 0 && months <= 12) result.depotGarantie = Math.round(months * loyer * 100) / 100;
}

function transferOf(record: JsonRecord): unknown {
  const written = at.operationTransfer(record);
  return isPositive(written) ? written : (at.featuresTransfer(record) ?? written);
}

export function hidesPrice(record: JsonRecord): boolean {
  return isYes(at.isHidden(record));
}

function isYes(value: unknown): boolean {
  return toFlag(scalarOf(value)) === true;
}

function isPositive(value: unknown): boolean {
  return (toNumber(scalarOf(value)) ?? 0) > 0;
}
