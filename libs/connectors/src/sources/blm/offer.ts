import { isRental, type Listing, type TypeTransaction } from '@passerelle/domain';
import type { BlmRow } from '../../formats/blm-rows';
import { type NumberStyle, toInteger } from '../../kit/clean/number';
import { toFlag } from '../../kit/clean/fold-word';
import { plainLine } from '../../kit/clean/plain-text';
import type { RecordContext } from '../../kit/contracts';
import { isDoubtful, readPrice, readSalePrice, rentFor } from '../../kit/price';
import { textOf } from '../../kit/values';
import { lookUp } from '../../kit/word-table';
import { codeOf, isPerPerson, RENT_FREQUENCIES, TRANSACTIONS } from './lookups';

/** PRICE is a price or a rent. */
export type Offer = Pick<
  Listing,
  'typeTransaction' | 'prix' | 'prixMention' | 'prixSurDemande' | 'loyer' | 'loyerPeriode' | 'loyerSource'
>;

export const FIGURES: NumberStyle = { comma: 'thousands' };
const ON_REQUEST = 1;
const SHORT_TERM = 2;
const POA = /^(?:p\.?\s?o\.?\s?a\.?|(?:price )?on (?:application|request))$/i;
/** `£350 pw`: the text after the figures may be the period of a rent. */
const FIGURES_AND_WORDS = /^(.*\d)\s*([a-z].*)$/i;

export function readOffer(row: BlmRow, context: RecordContext): Offer {
  const typeTransaction = transactionOf(row, context);
  const offer: Offer = typeTransaction === undefined ? {} : { typeTransaction };
  if (isOnRequest(row)) return { ...offer, prixSurDemande: true };
  if (typeTransaction !== undefined && isRental(typeTransaction)) return { ...offer, ...rentOf(row, context) };
  const prix = (typeTransaction === 'vente' ? readSalePrice : readPrice)(row['PRICE'], 'PRICE', context, FIGURES);
  return { ...offer, ...(prix === undefined ? withoutPrice(row, context) : { prix }) };
}

/** An unreadable price is not "price on request". */
function withoutPrice(row: BlmRow, context: RecordContext): Offer {
  return isDoubtful(row['PRICE'], context, FIGURES) ? {} : { prixSurDemande: true };
}

/** PRICE_QUALIFIER 1 means price on application, even if PRICE has an amount. */
function isOnRequest(row: BlmRow): boolean {
  const qualifier = textOf(row['PRICE_QUALIFIER']);
  return qualifier !== undefined && (toInteger(qualifier) === ON_REQUEST || POA.test(qualifier));
}

function transactionOf(row: BlmRow, context: RecordContext): TypeTransaction | undefined {
  const word = codeOf(row, 'TRANS_TYPE_ID');
  if (word === undefined) return undefined;
  const known = lookUp(TRANSACTIONS, word, 'TRANS_TYPE_ID', context);
  if (known === 'location') return toInteger(row['LET_TYPE_ID']) === SHORT_TERM ? 'location-saisonniere' : known;
  if (known === 'vente') return toFlag(row['BUSINESS_FOR_SALE_FLAG']) === true ? 'fonds-de-commerce' : known;
  return 'autre';
}

/** The rent. Its period comes from LET_RENT_FREQUENCY, else from the text after the figures, else it is a month. */
function rentOf(row: BlmRow, context: RecordContext): Offer {
  const [, figures, words = ''] = FIGURES_AND_WORDS.exec(textOf(row['PRICE']) ?? '') ?? [];
  const written = RENT_FREQUENCIES.find(words);
  const rent = readPrice(
    written === undefined && !isPerPerson(words) ? row['PRICE'] : figures,
    'PRICE',
    context,
    FIGURES,
  );
  if (rent === undefined) return withoutPrice(row, context);
  const word = codeOf(row, 'LET_RENT_FREQUENCY');
  if (isPerPerson(word ?? words) || isPerPerson(words)) {
    context.warn('implausible_value', 'PRICE', `${rent}: a rent per person or room`);
    return {
      prixMention: word === '5' ? `£${rent} per person per week` : `£${rent} ${plainLine(words) ?? word ?? ''}`,
    };
  }
  const period =
    word === undefined ? (written ?? 'mois') : lookUp(RENT_FREQUENCIES, word, 'LET_RENT_FREQUENCY', context);
  // A rent with an unknown period is omitted.
  return period === undefined ? { prixSurDemande: true } : rentFor(period, rent);
}
