import type { Listing } from '@passerelle/domain';
import type { XmlRecord } from '../../formats/xml-records';
import { toFlag } from '../../kit/clean/fold-word';
import { toCents, toInteger, toNumber } from '../../kit/clean/number';
import type { RecordContext } from '../../kit/contracts';
import { isDoubtful, readPrice, readSalePrice, rentFor } from '../../kit/price';
import { compilePath, listOf, scalarOf, textOf } from '../../kit/values';
import { lookUp } from '../../kit/word-table';
import { elementOf } from './format';
import { KINDS, MARKETING, PERIODS } from './lookups';

export type Offer = Pick<
  Listing,
  | 'typeTransaction'
  | 'typeTransactionSource'
  | 'prix'
  | 'prixSurDemande'
  | 'prixPlage'
  | 'prixMetreCarre'
  | 'loyer'
  | 'loyerPeriode'
  | 'loyerSource'
  | 'charges'
  | 'loyerHorsCharges'
  | 'loyerChargesComprises'
  | 'chargesChauffage'
  | 'regimePropriete'
  | 'bailAnnees'
>;

interface Amount {
  path: string;
  value: unknown;
}

type Places = readonly (readonly [path: string, read: (record: unknown) => unknown])[];
const places = (...paths: readonly string[]): Places => paths.map((path) => [path, compilePath(path)]);

const SALE = places(
  ...['Kaufpreise.@Kaufpreis', 'Vermarktung.Kauf.@Preis', 'Vermarktung.@Preis', '@Kaufpreis', '@PreisAb', 'Preis'],
);
const COLD = places('Mietpreise.@Kaltmiete', 'Mietpreise.@Miete', 'Vermarktung.Miete.@Kaltmiete', 'Vermarktung.@Preis');
const WARM = places('Mietpreise.@Warmmiete');
const EXTRAS = places('Mietpreise.@Nebenkosten', 'Vermarktung.@Nebenkosten');
const HEATING = places('Mietpreise.@Heizkosten');
const FLAT_RATE = places('Pauschalmiete.@MietePauschal');
const COLD_BESIDE = places('Monatsmiete.@Kaltmiete');
const EXTRAS_BESIDE = places('Monatsmiete.@Nebenkosten');
const LEASE = places('Vermarktung.@Preis');
const at = {
  marketing: compilePath('Vermarktung'),
  heatingIncluded: compilePath('Mietpreise.@HeizkostenInWarmmieteEnthalten'),
  per: compilePath('Vermarktung.Miete.@Pro'),
  flatRatePer: compilePath('Pauschalmiete.@MietePro'),
  priceByArea: compilePath('@KaufpreisProQm'),
  leaseYears: compilePath('Vermarktung.Erbpacht.@DauerInJahren'),
};
/** The schema requires amounts above zero, so exporters write 1 if there is no amount. */
const PLACEHOLDER = 1;

export function readOffer(record: XmlRecord, context: RecordContext): Offer {
  const kind = KINDS.find(elementOf(record));
  const named = marketingOf(record);
  const way =
    kind?.way ??
    (named === undefined ? undefined : lookUp(MARKETING, named, 'Vermarktung', context)) ??
    (record['Kaufpreise'] !== undefined ? 'sale' : record['Mietpreise'] !== undefined ? 'rent' : undefined);
  const offer: Offer = {
    typeTransactionSource: [elementOf(record), named].filter((word) => word !== undefined && word !== '').join(' '),
  };
  if (way === 'sale') return { ...offer, typeTransaction: saleType(record), ...saleOf(record, context) };
  if (way === 'rent')
    return { ...offer, typeTransaction: 'location', ...rentOf(record, context, kind?.group === 'land') };
  if (way === 'ground-lease') return { ...offer, typeTransaction: 'autre', ...leaseOf(record, context) };
  const amount = firstOf(SALE, record) ?? firstOf(COLD, record);
  if (amount !== undefined && (toNumber(scalarOf(amount.value)) ?? 0) > 0)
    context.warn('implausible_value', amount.path, `${textOf(amount.value) ?? ''}: neither a sale nor a rent`);
  return named === undefined ? offer : { ...offer, typeTransaction: 'autre' };
}

function saleType(record: XmlRecord): 'vente' | 'investissement' | 'enchere' {
  const element = elementOf(record);
  return element === 'Zwangsversteigerung' ? 'enchere' : element === 'Anlageobjekt' ? 'investissement' : 'vente';
}

/** The child of `Vermarktung`: `<Kauf/>`, `<Miete Kaltmiete="900"/>`. */
function marketingOf(record: XmlRecord): string | undefined {
  const found = listOf(at.marketing(record))[0];
  if (typeof found !== 'object' || found === null) return undefined;
  return Object.keys(found).find((name) => !name.startsWith('@') && !name.startsWith('#'));
}

function saleOf(record: XmlRecord, context: RecordContext): Offer {
  const amount = firstOf(SALE, record);
  const prix = amountIn(amount, context, readSalePrice);
  if (prix === undefined) return onRequest([amount], context);
  const offer: Offer = { prix };
  if (amount?.path === '@PreisAb') offer.prixPlage = { min: prix };
  const byArea = readPrice(at.priceByArea(record), '@KaufpreisProQm', context);
  if (byArea !== undefined) offer.prixMetreCarre = byArea;
  return offer;
}

/** The amount of an `Erbpacht` may be a price or a ground rent: the schema does not say which. */
function leaseOf(record: XmlRecord, context: RecordContext): Offer {
  const offer: Offer = { regimePropriete: 'Erbpacht' };
  const years = toInteger(scalarOf(at.leaseYears(record)));
  if (years !== undefined && years > 0) offer.bailAnnees = years;
  const amount = firstOf(LEASE, record);
  if (amountIn(amount, context) === undefined) return { ...offer, ...onRequest([amount], context) };
  context.warn(
    'implausible_value',
    'Vermarktung.@Preis',
    `${textOf(amount?.value) ?? ''}: not clear whether it is a price or a ground rent`,
  );
  return offer;
}

function rentOf(record: XmlRecord, context: RecordContext, isLand: boolean): Offer {
  const flatRate = firstOf(FLAT_RATE, record);
  if (flatRate !== undefined) return flatRateOf(record, flatRate, context);
  const [coldAt, warmAt] = [firstOf(COLD, record) ?? firstOf(COLD_BESIDE, record), firstOf(WARM, record)];
  const [cold, warm] = [amountIn(coldAt, context), amountIn(warmAt, context)];
  if (cold === undefined && warm === undefined) return onRequest([coldAt, warmAt], context);
  const word = textOf(at.per(record));
  const period =
    word === undefined ? 'mois' : lookUp(PERIODS, word, 'Vermarktung.Miete.@Pro', context, 'implausible_value');
  if (period === 'square metre' || isLand) {
    const why = isLand ? 'a rent without a period' : 'a rent by the square metre';
    context.warn('implausible_value', coldAt?.path ?? '', `${cold ?? ''}: ${why}`);
    return {};
  }
  if (period === undefined) return {};
  const extras = amountIn(firstOf(EXTRAS, record) ?? firstOf(EXTRAS_BESIDE, record), context);
  const heating = amountIn(firstOf(HEATING, record), context);
  const added = addedHeating(record, { cold, warm, extras, heating }, context);
  const charges = extras === undefined && added === undefined ? undefined : toCents((extras ?? 0) + (added ?? 0));
  // Only `Kaltmiete` says that it is a cold rent; the rent of a garage and `Preis` do not.
  const isCold = coldAt?.path.endsWith('@Kaltmiete') === true;
  const rent = warm ?? toCents((cold ?? 0) + (charges ?? 0));
  return {
    ...rentFor(period, rent),
    ...(charges !== undefined && { charges: rentFor(period, charges).loyer }),
    ...(cold !== undefined && isCold && { loyerHorsCharges: rentFor(period, cold).loyer }),
    ...(warm !== undefined && { loyerChargesComprises: rentFor(period, warm).loyer }),
    ...(heating !== undefined && { chargesChauffage: rentFor(period, heating).loyer }),
  };
}

/** The rent of a temporary home: one amount for everything, per day, week or month. Its parts are monthly. */
function flatRateOf(record: XmlRecord, amount: Amount, context: RecordContext): Offer {
  const rent = amountIn(amount, context);
  if (rent === undefined) return onRequest([amount], context);
  const word = textOf(at.flatRatePer(record));
  const period = lookUp(PERIODS, word, 'Pauschalmiete.@MietePro', context, 'implausible_value');
  if (word === undefined) context.warn('implausible_value', amount.path, `${rent}: a rent without a period`);
  if (period === undefined || period === 'square metre') return {};
  const cold = amountIn(firstOf(COLD_BESIDE, record), context);
  const charges = amountIn(firstOf(EXTRAS_BESIDE, record), context);
  return {
    ...rentFor(period, rent),
    ...(cold !== undefined && { loyerHorsCharges: cold }),
    ...(charges !== undefined && { charges }),
  };
}

/** If the record does not say whether the side costs include them, the two rents decide; without both, a warning. */
function addedHeating(
  record: XmlRecord,
  given: { [K in 'cold' | 'warm' | 'extras' | 'heating']: number | undefined },
  context: RecordContext,
): number | undefined {
  const { cold, warm, extras, heating } = given;
  const isIncluded = toFlag(scalarOf(at.heatingIncluded(record)));
  if (heating === undefined || isIncluded === true) return undefined;
  if (isIncluded === false || extras === undefined) return heating;
  if (cold !== undefined && warm !== undefined)
    return Math.abs(cold + extras + heating - warm) < 1 ? heating : undefined;
  context.warn('implausible_value', 'Mietpreise.@Heizkosten', `${heating}: not clear whether other charges include it`);
  return undefined;
}

function firstOf(all: Places, record: XmlRecord): Amount | undefined {
  for (const [path, read] of all) {
    const value = read(record);
    if (textOf(value) !== undefined) return { path, value };
  }
  return undefined;
}

function amountIn(amount: Amount | undefined, context: RecordContext, read = readPrice): number | undefined {
  if (amount === undefined) return undefined;
  const written = toNumber(scalarOf(amount.value));
  return written !== undefined && written >= 0 && written <= PLACEHOLDER
    ? undefined
    : read(amount.value, amount.path, context);
}

/** An unreadable amount is not "on request". */
function onRequest(amounts: readonly (Amount | undefined)[], context: RecordContext): Offer {
  return amounts.some((one) => one !== undefined && isDoubtful(one.value, context)) ? {} : { prixSurDemande: true };
}
