import type { Listing } from '@passerelle/domain';
import type { XmlRecord } from '../../formats/xml-records';
import { toFlag } from '../../kit/clean/fold-word';
import { toMonthlyRent } from '../../kit/clean/money';
import type { RecordContext } from '../../kit/contracts';
import { isDoubtful, readPrice, readSalePrice, rentFor } from '../../kit/price';
import { compilePath, scalarOf, textOf } from '../../kit/values';
import { lookUp } from '../../kit/word-table';
import { INTERVALS, RENT_TYPES, TRANSACTIONS } from './lookups';

/** A point or a comma separates the decimals: `1250.000` is 1250, and `1250,5` is 1250.5. -1 means no number. */
export const FIGURES = { comma: 'decimal', point: 'decimal', unknown: -1 } as const;

export type Offer = Pick<
  Listing,
  | ('typeTransaction' | 'prix' | 'prixSurDemande' | 'prixMetreCarre' | 'prixPlage' | 'loyer' | 'loyerPeriode')
  | ('loyerSource' | 'bouquet' | 'rente' | 'charges' | 'depotGarantie')
>;

const at = {
  hides: compilePath('Info.HidePrice'),
  indication: compilePath('Property.PriceIndication'),
  status: compilePath('Property.Status'),
  kind: compilePath('Property.PropertyType'),
  price: compilePath('Property.Price'),
  priceType: compilePath('Property.PriceType'),
  least: compilePath('Property.Financials.SalePrice.Amount.@Minimum'),
  most: compilePath('Property.Financials.SalePrice.Amount.@Maximum'),
  payment: compilePath('Property.LifeAnnuity.OneOffPayment'),
  annuity: compilePath('Property.LifeAnnuity.Remittance.Amount'),
  annuityPeriod: compilePath('Property.LifeAnnuity.Remittance.Period'),
  charges: compilePath('Property.ChargesAndProvisions'),
  interval: compilePath('Property.ChargesAndProvisionsInterval'),
  deposit: compilePath('Property.Deposit'),
};

export function hidesPrice(record: XmlRecord): boolean {
  return toFlag(scalarOf(at.hides(record))) === true || textOf(at.indication(record)) === 'ON_REQUEST';
}

export function readOffer(record: XmlRecord, context: RecordContext): Offer {
  const amount = (read: (record: unknown) => unknown, field: string): number | undefined =>
    readPrice(scalarOf(read(record)), field, context, FIGURES);
  const [bouquet, rente] = [
    amount(at.payment, 'Property.LifeAnnuity.OneOffPayment'),
    amount(at.annuity, 'Property.LifeAnnuity.Remittance.Amount'),
  ];
  const offer: Offer = { typeTransaction: transactionOf(record, context, bouquet ?? rente) };
  if (offer.typeTransaction === 'location') {
    const deposit = amount(at.deposit, 'Property.Deposit');
    const charges = monthly(
      amount(at.charges, 'Property.ChargesAndProvisions'),
      textOf(at.interval(record)),
      'Property.ChargesAndProvisionsInterval',
      context,
    );
    Object.assign(offer, deposit !== undefined && { depotGarantie: deposit }, charges !== undefined && { charges });
  }
  if (hidesPrice(record)) return { ...offer, prixSurDemande: true };
  if (offer.typeTransaction === 'location') addRent(offer, record, context);
  else addPrice(offer, record, context);
  if (offer.typeTransaction === 'viager') {
    const period = textOf(at.annuityPeriod(record)) ?? 'MONTHLY';
    const perMonth = monthly(rente, period, 'Property.LifeAnnuity.Remittance.Period', context);
    Object.assign(offer, bouquet !== undefined && { bouquet }, perMonth !== undefined && { rente: perMonth });
    delete offer.prixSurDemande;
  }
  return offer;
}

function transactionOf(
  record: XmlRecord,
  context: RecordContext,
  annuity: number | undefined,
): NonNullable<Offer['typeTransaction']> {
  if (textOf(at.kind(record)) === 'PROJECT') return 'programme';
  if (annuity !== undefined) return 'viager';
  // Another field reads this status for display, and warns about unknown words.
  return lookUp(TRANSACTIONS, textOf(at.status(record)), '', { ...context, warn: () => undefined }) ?? 'autre';
}

function addPrice(offer: Offer, record: XmlRecord, context: RecordContext): void {
  const written = scalarOf(at.price(record));
  if (RENT_TYPES.find(textOf(at.priceType(record)) ?? '') === 'per m2') {
    const perSquareMetre = readPrice(written, 'Property.Price', context, FIGURES);
    if (perSquareMetre !== undefined) offer.prixMetreCarre = perSquareMetre;
    return;
  }
  const price = readSalePrice(written, 'Property.Price', context, FIGURES);
  const range = offer.typeTransaction === 'programme' ? rangeOf(record, context) : undefined;
  if (price !== undefined) offer.prix = price;
  if (range !== undefined) offer.prixPlage = range;
  if (price === undefined && range === undefined && !isDoubtful(written, context, FIGURES)) offer.prixSurDemande = true;
}

function rangeOf(record: XmlRecord, context: RecordContext): Offer['prixPlage'] {
  const field = 'Property.Financials.SalePrice.Amount';
  const min = readPrice(scalarOf(at.least(record)), field, context, FIGURES);
  const max = readPrice(scalarOf(at.most(record)), field, context, FIGURES);
  return min !== undefined && max !== undefined && min <= max ? { min, max } : undefined;
}

/** A price per square metre is kept as such; an amount of an unknown kind is omitted. */
function addRent(offer: Offer, record: XmlRecord, context: RecordContext): void {
  const written = scalarOf(at.price(record));
  const rent = readPrice(written, 'Property.Price', context, FIGURES);
  const word = textOf(at.priceType(record)) ?? 'PRICE_PER_MONTH';
  const period = lookUp(RENT_TYPES, word, 'Property.PriceType', context, 'implausible_value');
  if (rent === undefined) {
    if (!isDoubtful(written, context, FIGURES)) offer.prixSurDemande = true;
  } else if (period === 'per m2') offer.prixMetreCarre = rent;
  else if (period !== undefined) Object.assign(offer, rentFor(period, rent));
}

/** An amount without a period is omitted. */
function monthly(
  amount: number | undefined,
  word: string | undefined,
  field: string,
  context: RecordContext,
): number | undefined {
  if (amount === undefined || word === undefined) return undefined;
  const period = lookUp(INTERVALS, word, field, context, 'implausible_value');
  return period === undefined ? undefined : toMonthlyRent(amount, period);
}
