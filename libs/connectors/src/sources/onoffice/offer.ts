import { isRental, type Listing, type TypeTransaction } from '@passerelle/domain';
import type { JsonRecord } from '../../formats/json-records';
import { toCents, toNumber } from '../../kit/clean/number';
import { toFlag } from '../../kit/clean/fold-word';
import { inOneLine } from '../../kit/collections';
import type { RecordContext } from '../../kit/contracts';
import { isDoubtful, readPrice, readSalePrice } from '../../kit/price';
import { compilePath, listOf, scalarOf, textOf } from '../../kit/values';
import { lookUp } from '../../kit/word-table';
import { isOnRequest } from './display';
import { MARKETING } from './lookups';

/** Amounts have a decimal point, as the API's data types define it. */
export const STYLE = { comma: 'thousands' } as const;

export type Offer = Pick<
  Listing,
  | 'typeTransaction'
  | 'prix'
  | 'prixSurDemande'
  | 'prixMetreCarre'
  | 'loyer'
  | 'loyerHorsCharges'
  | 'loyerChargesComprises'
  | 'charges'
  | 'chargesChauffage'
  | 'honoraires'
  | 'honorairesUnite'
  | 'honorairesCharge'
  | 'commission'
>;

const flagAt = (name: string): ((record: JsonRecord) => boolean | undefined) => {
  const at = compilePath(`elements.${name}`);
  return (record) => toFlag(scalarOf(at(record)));
};
const marketingAt = compilePath('elements.vermarktungsart');
const usageAt = compilePath('elements.nutzungsart');
const isHeatingIncluded = flagAt('heizkosten_in_nebenkosten');
const isFeeCharged = flagAt('provisionspflichtig');
const isFeeFree = flagAt('courtage_frei');
const outerFeeAt = compilePath('elements.aussen_courtage');
const feeNoteAt = compilePath('elements.courtage_hinweis');

/** The kind of marketing decides: the price field of the other kind may be filled too, as a note of the agency. */
export function readOffer(record: JsonRecord, context: RecordContext): Offer {
  const word = textOf(marketingAt(record));
  const way = lookUp(MARKETING, word, 'elements.vermarktungsart', context);
  const typeTransaction = transactionOf(record, word, way);
  const offer: Offer = { ...(typeTransaction !== undefined && { typeTransaction }) };
  if (typeTransaction !== undefined && isRental(typeTransaction)) addRent(offer, record, context);
  else if (!isOnRequest(record)) {
    set(offer, 'prix', amount(record, 'kaufpreis', context, way === 'sale'));
    set(offer, 'prixMetreCarre', amount(record, 'kaufpreis_pro_qm', context));
    // Neither the kind of marketing nor a price names the offer. A rent without a price is no sale.
    if (typeTransaction === undefined && offer.prix === undefined) addRent(offer, record, context);
  }
  if (offer.prix === undefined && offer.loyer === undefined && !hasDoubt(record, context)) offer.prixSurDemande = true;
  return { ...offer, ...feesOf(record, typeTransaction) };
}

function transactionOf(
  record: JsonRecord,
  word: string | undefined,
  way: 'sale' | 'rent' | 'ground-lease' | undefined,
): TypeTransaction | undefined {
  if (word === undefined) return undefined;
  if (way === undefined) return 'autre';
  if (way === 'rent') return 'location';
  return splitWords(usageAt(record)).includes('anlage') && way === 'sale' ? 'investissement' : 'vente';
}

/** The words of a list, or of a text such as `|wohnen||anlage|`. */
export function splitWords(value: unknown): string[] {
  return listOf(value)
    .flatMap((one) => (textOf(one) ?? '').split('|'))
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

/** Adds the rent with charges, if the estate gives enough amounts to compute it, and the parts of the rent. */
function addRent(offer: Offer, record: JsonRecord, context: RecordContext): void {
  const warm = amount(record, 'warmmiete', context);
  const cold = amount(record, 'kaltmiete', context);
  const net = amount(record, 'nettokaltmiete', context);
  const extras = amount(record, 'nebenkosten', context);
  const heating = amount(record, 'heizkosten', context);
  if (isOnRequest(record)) return;
  const beside = isHeatingIncluded(record) === true ? undefined : heating;
  const charges = extras === undefined && beside === undefined ? undefined : toCents((extras ?? 0) + (beside ?? 0));
  const isGross = net !== undefined && extras !== undefined && cold === toCents(net + extras);
  const added = isGross ? beside : charges;
  const base = cold ?? net;
  const summed = base === undefined ? undefined : toCents(base + (added ?? 0));
  set(offer, 'loyer', warm ?? summed ?? amount(record, 'pacht', context));
  set(offer, 'loyerHorsCharges', net ?? cold);
  set(offer, 'loyerChargesComprises', warm);
  set(offer, 'charges', charges);
  set(offer, 'chargesChauffage', heating);
}

function amount(record: JsonRecord, name: string, context: RecordContext, isPrice = false): number | undefined {
  const path = `elements.${name}`;
  return (isPrice ? readSalePrice : readPrice)(compilePath(path)(record), path, context, STYLE);
}

function hasDoubt(record: JsonRecord, context: RecordContext): boolean {
  return ['kaufpreis', 'kaltmiete', 'warmmiete', 'nettokaltmiete', 'pacht'].some((name) =>
    isDoubtful(compilePath(`elements.${name}`)(record), context, STYLE),
  );
}

/** `3,57 % inkl. MwSt.` */
const SHARE = /(\d{1,2}(?:[.,]\d{1,4})?)\s*(?:%|prozent)/i;
/** A smaller number cannot be euros: `2` is two monthly rents or two percent. */
const SMALLEST_AMOUNT = 100;

/** The seller pays the inner commission, which is never requested. */
function feesOf(record: JsonRecord, transaction: TypeTransaction | undefined): Partial<Offer> {
  if (isFeeCharged(record) === false || isFeeFree(record) === true) return {};
  const written = textOf(outerFeeAt(record));
  const said = [written, textOf(feeNoteAt(record))].filter((text) => /[\p{L}%]/u.test(text ?? ''));
  const commission = inOneLine(said);
  const share = toNumber(SHARE.exec(written ?? '')?.[1]);
  const sum = share === undefined ? toNumber(written) : undefined;
  const honorairesCharge = transaction !== undefined && isRental(transaction) ? 'locataire' : 'acquereur';
  return {
    ...(share !== undefined && share > 0 && { honoraires: share, honorairesUnite: 'pourcentage', honorairesCharge }),
    ...(sum !== undefined &&
      sum >= SMALLEST_AMOUNT && { honoraires: sum, honorairesUnite: 'montant', honorairesCharge }),
    ...(commission !== undefined && { commission }),
  };
}

function set<K extends keyof Offer>(into: Offer, key: K, value: Offer[K] | undefined): void {
  if (value !== undefined) into[key] = value;
}
