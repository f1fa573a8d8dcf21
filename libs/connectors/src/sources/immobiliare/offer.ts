import type { TypeTransaction } from '@passerelle/domain';
import { offerOf } from '../../formats/several-offers';
import type { XmlRecord } from '../../formats/xml-records';
import { plainLine } from '../../kit/clean/plain-text';
import { toFlag } from '../../kit/clean/fold-word';
import type { RecordContext } from '../../kit/contracts';
import type { Offer } from '../../kit/offer';
import { isDoubtful, readPrice, readPriceOf } from '../../kit/price';
import { together } from '../../kit/together';
import { compilePath, listOf, scalarOf, textOf } from '../../kit/values';
import { readCurrency } from '../../kit/word-table';

const SEVERAL = /<(?:[\w-]+:)?transaction[\s>][^]*<(?:[\w-]+:)?transaction[\s>]/;
/** Matches the start tag of a property that the file deletes. */
export const DELETES = /^<[^>]*\boperation\s*=\s*["']delete["']/i;
const at = {
  transactions: compilePath('transactions.transaction'),
  featuresPrice: compilePath('features.price'),
  startingPrice: compilePath('auction-features.starting-price'),
};

interface Transaction {
  /** Undefined if the format's letter is neither S nor R. */
  offer: TypeTransaction | undefined;
  letter: string | undefined;
  price: unknown;
  field: string;
  ownership: string | undefined;
  isLet: boolean;
}

export function mayBeSeveral(bytes: Buffer): boolean {
  const written = bytes.toString('latin1');
  return SEVERAL.test(written) || DELETES.test(written.slice(0, 1_000));
}

/** A deletion names no offer, so it applies to all of them. */
export function offersOf(record: XmlRecord): readonly TypeTransaction[] {
  if (textOf(record['@operation'])?.toLowerCase() === 'delete') return ['vente', 'location', 'enchere'];
  return [...new Set(transactionsOf(record).flatMap(({ offer }) => offer ?? []))].sort((a, b) =>
    a === 'vente' ? -1 : b === 'vente' ? 1 : 0,
  );
}

/** Version 2.5 and later have up to three transactions; earlier versions have one letter, and the price among the features. */
function transactionsOf(record: XmlRecord): Transaction[] {
  const listed = listOf(at.transactions(record)).map((one): Transaction => {
    const members = (typeof one === 'object' && one !== null ? one : {}) as XmlRecord;
    const letter = textOf(members['@type']);
    const isAuction = toFlag(scalarOf(members['@auction'])) === true;
    return {
      offer: offerOfLetter(letter, isAuction),
      letter,
      price: members['price'] ?? (isAuction ? at.startingPrice(record) : undefined),
      field: 'transactions.transaction.price',
      ownership: plainLine(textOf(members['@ownership'])),
      isLet: toFlag(scalarOf(members['@for-revenue'])) === true,
    };
  });
  const letter = textOf(record['transaction-type']);
  const price = at.featuresPrice(record);
  if (listed.length > 0 || (letter === undefined && price === undefined)) return listed;
  return [
    { offer: offerOfLetter(letter, false), letter, price, field: 'features.price', ownership: undefined, isLet: false },
  ];
}

function offerOfLetter(letter: string | undefined, isAuction: boolean): TypeTransaction | undefined {
  switch (letter?.toUpperCase()) {
    case 'S':
      return isAuction ? 'enchere' : 'vente';
    case 'R':
      return 'location';
    default:
      return undefined;
  }
}

interface PricedOffer extends Offer {
  typeTransactionSource?: string | undefined;
  prixCurrency?: string | undefined;
  regimePropriete?: string | undefined;
  loue?: boolean;
}

/** The offer that this copy of the record is for, with its price. A `reserved` price is on request. */
export const offers = together<XmlRecord, PricedOffer>((record, context) => {
  const all = transactionsOf(record);
  for (const { offer, letter } of all)
    if (offer === undefined && letter !== undefined)
      context.warn('unknown_word', 'transaction type', letter.slice(0, 120));
  const wanted = offerOf(record);
  const one = all.find(({ offer }) => offer === wanted) ?? all[0];
  if (one === undefined) return { prixCurrency: readCurrency(undefined, '', context) };
  const typeTransaction = wanted ?? (one.letter === undefined ? undefined : 'autre');
  const result: PricedOffer = {
    ...(typeTransaction !== undefined && { typeTransaction }),
    typeTransactionSource: one.letter,
    prixCurrency: readCurrency(attributeOf(one.price, 'currency'), `${one.field}.@currency`, context),
    regimePropriete: one.ownership,
    ...(one.isLet && { loue: true }),
  };
  addPrice(result, one, context);
  return result;
});

function addPrice(result: PricedOffer, { price, field }: Transaction, context: RecordContext): void {
  const { typeTransaction } = result;
  const isHidden = isReserved(price);
  if (!isHidden && typeTransaction === 'location') {
    const loyer = readPrice(price, field, context);
    if (loyer !== undefined) result.loyer = loyer;
  } else if (!isHidden) {
    const prix = readPriceOf(typeTransaction, price, field, context);
    if (prix !== undefined) result.prix = prix;
  }
  const isNone = result.prix === undefined && result.loyer === undefined;
  if (isNone && (isHidden || !isDoubtful(price, context))) result.prixSurDemande = true;
}

/** Whether a price must not be shown. */
export function isReserved(price: unknown): boolean {
  return toFlag(attributeOf(price, 'reserved')) === true;
}

function attributeOf(element: unknown, name: string): string | undefined {
  const one = listOf(element)[0];
  return typeof one === 'object' && one !== null ? textOf((one as XmlRecord)[`@${name}`]) : undefined;
}
