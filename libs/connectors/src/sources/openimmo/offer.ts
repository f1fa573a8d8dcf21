import { isRental, type Listing, type RentPeriod } from '@passerelle/domain';
import type { XmlRecord } from '../../formats/xml-records';
import { toMonthlyRent } from '../../kit/clean/money';
import { toCents, toNumber } from '../../kit/clean/number';
import { toFlag } from '../../kit/clean/fold-word';
import { inOneLine } from '../../kit/collections';
import type { RecordContext } from '../../kit/contracts';
import { isDoubtful, readPrice, readSalePrice, rentFor } from '../../kit/price';
import { compilePath, type ReadValue, scalarOf, textOf } from '../../kit/values';
import { attributeOf } from './attributes';
import { lookUp } from '../../kit/word-table';
import { MARKETING, PERIODS } from './lookups';
import { marketingWords, rentType, saleType } from './marketing';
import { offerOf } from '../../formats/several-offers';
import { beforeTax, withTax } from './tax';

export type Offer = Pick<
  Listing,
  | 'typeTransaction'
  | 'typeTransactionSource'
  | 'prix'
  | 'prixSurDemande'
  | 'loyer'
  | 'loyerPeriode'
  | 'loyerSource'
  | 'charges'
  | 'loyerHorsCharges'
  | 'loyerChargesComprises'
  | 'chargesChauffage'
  | 'prixMetreCarre'
  | 'commission'
> &
  Fees;

const at = {
  price: compilePath('preise.kaufpreis'),
  period: compilePath('preise.preis_zeiteinheit'),
  heatingIncluded: compilePath('preise.heizkosten_enthalten'),
};
const PRICES = amounts('preise.kaufpreis', 'preise.kaufpreisbrutto', 'preise.kaufpreisnetto');
const WARM_RENT = amounts('preise.warmmiete');
const COLD_RENT = amounts('preise.kaltmiete');
/** The rent without any charges. If an object also has a cold rent, that rent may include the `nebenkosten`. */
const NET_COLD_RENT = amounts('preise.nettokaltmiete');
const PRICE_BY_AREA = amounts('preise.kaufpreis_pro_qm');
const EXTRAS = amounts('preise.nebenkosten');
const HEATING = amounts('preise.heizkosten');
/** Amounts that are neither the price nor the rent of the whole object. */
const OTHERS = [
  ['preise.kaufpreis_pro_qm', 'a price by the square metre'],
  ['preise.mietpreis_pro_qm', 'a rent by the square metre'],
  ['preise.erbpacht', 'a ground rent'],
].map(([path = '', what = '']) => ({ path, what, at: compilePath(path) }));
/** Austrian fields: the charges without tax, and the tax on them. */
const EXTRAS_BEFORE_TAX = beforeTax('preise.betriebskostennetto', 'betriebskostenust');
/** The rents to use if there is neither a warm nor a cold rent. */
const OTHER_RENTS = amounts(
  'preise.nettokaltmiete',
  'preise.pacht',
  'preise.pauschalmiete',
  'preise.gesamtbelastungbrutto',
  'preise.gesamtmietebrutto',
  'preise.gesamtmietenetto',
);
/** Austrian fields: the rent without charges, and the tax on it. */
const RENT_BEFORE_TAX = beforeTax('preise.hauptmietzinsnetto', 'hauptmietzinsust');

/** An object for sale and for rent comes once for each, and each listing has its own amounts. */
export function readOffer(record: XmlRecord, context: RecordContext): Offer {
  const words = marketingWords(record);
  const ways = words.map((word) => lookUp(MARKETING, word, 'objektkategorie.vermarktungsart', context));
  const isNamedSale = ways.includes('sale');
  const price = firstAmount(PRICES, record, context, isNamedSale ? readSalePrice : readPrice);
  const charges = chargesOf(record, context);
  const rent = rentOf(record, charges, context);
  const wanted = ways.includes('rent') && isNamedSale ? offerOf(record) : undefined;
  const isWantedRent = wanted === undefined ? undefined : isRental(wanted);
  const isSale = words.length === 0 ? price !== undefined : isNamedSale && isWantedRent !== true;
  const isRent = words.length === 0 ? rent !== undefined : ways.includes('rent') && isWantedRent !== false;
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
  if (isRent && rent !== undefined && period !== undefined) Object.assign(offer, rentFor(period, rent));
  const isNone = offer.prix === undefined && offer.loyer === undefined;
  if ((isSale && isHidden) || (isNone && !hasDoubt(record, context) && !hasOtherAmount(record, context)))
    offer.prixSurDemande = true;
  if (isRent && period !== undefined) Object.assign(offer, partsOf(record, period, context));
  if (isSale && !isHidden) set(offer, 'prixMetreCarre', firstAmount(PRICE_BY_AREA, record, context));
  set(offer, 'commission', commissionOf(record));
  if (charges !== undefined) offer.charges = isRent && period !== undefined ? toMonthlyRent(charges, period) : charges;
  return { ...offer, ...feesOf(record, isRent && !isSale, context) };
}

/** An unreadable amount is not "on request"; neither is a net rent whose tax is unclear. */
function hasDoubt(record: XmlRecord, context: RecordContext): boolean {
  if ((toNumber(scalarOf(RENT_BEFORE_TAX.netAt(record))) ?? 0) > 0) return true;
  return [PRICES, WARM_RENT, COLD_RENT, OTHER_RENTS].flat().some(([, valueAt]) => isDoubtful(valueAt(record), context));
}

/**
 * A price per square metre or a ground rent is not "on request" either. It gives a warning, because the total is
 * unknown.
 */
function hasOtherAmount(record: XmlRecord, context: RecordContext): boolean {
  let isFound = false;
  for (const { path, what, at: valueAt } of OTHERS) {
    const amount = toNumber(scalarOf(valueAt(record)));
    if (amount === undefined || amount <= 0) continue;
    context.warn('implausible_value', path, `${amount}: ${what}`);
    isFound = true;
  }
  return isFound;
}

function chargesOf(record: XmlRecord, context: RecordContext): number | undefined {
  const extras = firstAmount(EXTRAS, record, context);
  const heating = heatingOf(record, extras, context);
  const given = extras === undefined || heating === undefined ? (extras ?? heating) : toCents(extras + heating);
  return given ?? withTax(EXTRAS_BEFORE_TAX, record, context);
}

/**
 * The heating costs, if they are not part of the other charges: the object says so, or its warm rent shows it. If this
 * is unclear, undefined with a warning.
 */
function heatingOf(record: XmlRecord, extras: number | undefined, context: RecordContext): number | undefined {
  const heating = firstAmount(HEATING, record, context);
  if (heating === undefined) return undefined;
  const isIncluded = toFlag(scalarOf(at.heatingIncluded(record)));
  if (isIncluded !== undefined) return isIncluded ? undefined : heating;
  const [warm, cold] = [firstAmount(WARM_RENT, record, context), firstAmount(COLD_RENT, record, context)];
  if (warm === undefined || cold === undefined) {
    if (extras !== undefined)
      context.warn('implausible_value', 'preise.heizkosten', `${heating}: not clear whether other charges include it`);
    return extras === undefined ? heating : undefined;
  }
  return Math.abs(cold + (extras ?? 0) + heating - warm) < 1 ? heating : undefined;
}

/** The parts of the rent that the object gives, per month. */
function partsOf(
  record: XmlRecord,
  period: RentPeriod,
  context: RecordContext,
): Pick<Offer, 'loyerHorsCharges' | 'loyerChargesComprises' | 'chargesChauffage'> {
  const parts: Pick<Offer, 'loyerHorsCharges' | 'loyerChargesComprises' | 'chargesChauffage'> = {};
  const monthly = (amount: number | undefined): number | undefined =>
    amount === undefined ? undefined : toMonthlyRent(amount, period);
  const cold = firstAmount(NET_COLD_RENT, record, context) ?? firstAmount(COLD_RENT, record, context);
  const warm = firstAmount(WARM_RENT, record, context);
  set(parts, 'loyerHorsCharges', monthly(cold));
  set(parts, 'loyerChargesComprises', monthly(warm));
  set(parts, 'chargesChauffage', monthly(firstAmount(HEATING, record, context)));
  return parts;
}

/** Whether the cold rent is the net rent plus the `nebenkosten`. */
function hasExtrasInCold(record: XmlRecord, cold: number, context: RecordContext): boolean {
  const net = firstAmount(NET_COLD_RENT, record, context);
  const extras = firstAmount(EXTRAS, record, context);
  return net !== undefined && extras !== undefined && Math.abs(net + extras - cold) < 1;
}

/** The warm rent, else the cold rent plus charges, else another rent; undefined if there is none. */
function rentOf(record: XmlRecord, charges: number | undefined, context: RecordContext): number | undefined {
  const warm = firstAmount(WARM_RENT, record, context);
  if (warm !== undefined) return warm;
  const cold = firstAmount(COLD_RENT, record, context);
  if (cold !== undefined) {
    const isWithExtras = hasExtrasInCold(record, cold, context);
    const heating = isWithExtras ? heatingOf(record, undefined, context) : undefined;
    return toCents(cold + ((isWithExtras ? heating : charges) ?? 0));
  }
  const other = firstAmount(OTHER_RENTS, record, context);
  if (other !== undefined) return other;
  const rent = withTax(RENT_BEFORE_TAX, record, context);
  return rent === undefined ? undefined : toCents(rent + (charges ?? 0));
}

/** The period of the rent; undefined for an unknown word, because a rent without its period has no meaning. */
function periodOf(record: XmlRecord, context: RecordContext): RentPeriod | undefined {
  const element = at.period(record);
  const word = textOf(attributeOf(element, 'zeiteinheit')) ?? textOf(element);
  if (word === undefined) return 'mois';
  return lookUp(PERIODS, word, 'preise.preis_zeiteinheit', context, 'implausible_value');
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

/** The commission that the buyer or tenant pays. */
type Fees = Pick<Listing, 'honoraires' | 'honorairesUnite' | 'honorairesCharge'>;

const fees = {
  isCharged: compilePath('preise.provisionspflichtig'),
  outer: compilePath('preise.aussen_courtage'),
  gross: compilePath('preise.provisionbrutto'),
  note: compilePath('preise.courtage_hinweis'),
};
/** Finds the share in a text such as `3,57 % inkl. MwSt.` */
const SHARE = /(\d{1,2}(?:[.,]\d{1,4})?)\s*(?:%|prozent)/i;
/** A smaller number cannot be euros, and its unit is unknown: `2` may be two monthly rents or two percent. */
const SMALLEST_AMOUNT = 100;

/**
 * Reads the fee from `aussen_courtage` (a text), else from `provisionbrutto`. The seller pays `innen_courtage`, so it
 * stays private.
 */
function feesOf(record: XmlRecord, isRentOnly: boolean, context: RecordContext): Fees {
  if (toFlag(scalarOf(fees.isCharged(record))) === false) return {};
  const found =
    feeIn(fees.outer(record), context, 'aussen_courtage') ?? feeIn(fees.gross(record), context, 'provisionbrutto');
  return found === undefined ? {} : { ...found, honorairesCharge: isRentOnly ? 'locataire' : 'acquereur' };
}

/** The fee in the words of the advert. A bare amount goes to `honoraires`. */
function commissionOf(record: XmlRecord): string | undefined {
  const words = [fees.outer(record), fees.note(record)].map(textOf).filter((word) => /[\p{L}%]/u.test(word ?? ''));
  return inOneLine(words);
}

/** Both fields may contain a share or an amount. */
function feeIn(value: unknown, context: RecordContext, name: string): Fees | undefined {
  return shareOf(textOf(value)) ?? amountOf(value, context, name);
}

function shareOf(text: string | undefined): Fees | undefined {
  const share = toNumber(SHARE.exec(text ?? '')?.[1]);
  return share === undefined || share <= 0 ? undefined : { honoraires: share, honorairesUnite: 'pourcentage' };
}

function amountOf(value: unknown, context: RecordContext, name: string): Fees | undefined {
  const amount = toNumber(scalarOf(value));
  if (amount === undefined || amount <= 0) return undefined;
  if (amount >= SMALLEST_AMOUNT) return { honoraires: amount, honorairesUnite: 'montant' };
  context.warn('implausible_value', `preise.${name}`, `${amount} without a unit`);
  return undefined;
}

function set<T extends object, K extends keyof T>(into: T, key: K, value: T[K] | undefined): void {
  if (value !== undefined) into[key] = value;
}
