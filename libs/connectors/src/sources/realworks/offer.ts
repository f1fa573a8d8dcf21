import type { Listing, TypeTransaction } from '@passerelle/domain';
import type { JsonRecord } from '../../formats/json-records';
import { inOneLine } from '../../kit/collections';
import type { RecordContext } from '../../kit/contracts';
import { isDoubtful, readPrice, readSalePrice, rentFor } from '../../kit/price';
import { compilePath, textOf } from '../../kit/values';
import { lookUp } from '../../kit/word-table';
import { CONDITIONS, PERIODS, PLAIN_PREFIXES, REASONS } from './lookups';
import { spoken } from './constants';
import { offerOf } from '../../formats/several-offers';

export type Offer = Pick<
  Listing,
  'typeTransaction' | 'prix' | 'prixSurDemande' | 'prixMention' | 'loyer' | 'loyerPeriode' | 'loyerSource'
>;

const BASE = 'financieel.overdracht';
const at = (name: string): ((record: unknown) => unknown) => compilePath(`${BASE}.${name}`);
const priceAt = at('koopprijs');
const pricePrefixAt = at('koopprijsvoorvoegsel');
const conditionAt = at('koopconditie');
const rentAt = at('huurprijs');
const rentPrefixAt = at('huurprijsvoorvoegsel');
const periodAt = at('huurconditie');
const reasonAt = at('aanmeldingsreden');

const ON_REQUEST = /op[_ ]aanvraag/i;

const AMOUNTS = [/"koopprijs"\s*:\s*"?\d/, /"huurprijs"\s*:\s*"?\d/] as const;

export function mayBeSeveral(bytes: Buffer): boolean {
  const text = bytes.toString('latin1');
  return AMOUNTS.every((amount) => amount.test(text));
}

/** An object with a price and a rent is for sale and to let. */
export function offersOf(record: JsonRecord): readonly TypeTransaction[] {
  return isGiven(priceAt(record)) && isGiven(rentAt(record)) ? ['vente', 'location'] : [];
}

export function readOffer(record: JsonRecord, context: RecordContext): Offer {
  const offer: Offer = {};
  const wanted = offerOf(record);
  const hasPrice = wanted !== 'location' && isGiven(priceAt(record));
  const hasRent = wanted !== 'vente' && isGiven(rentAt(record));
  // A condition may be left over from another offer, so it decides only if there is no amount.
  const isLet = hasRent || (!hasPrice && textOf(periodAt(record)) !== undefined);
  const isSold = hasPrice || (!hasRent && textOf(conditionAt(record)) !== undefined);
  const mentions: (string | undefined)[] = [];
  if (isSold) {
    offer.typeTransaction = 'vente';
    mentions.push(addPrice(offer, record, context));
  }
  if (isLet) {
    offer.typeTransaction ??= 'location';
    mentions.push(addRent(offer, record, context));
  }
  if (!isSold && !isLet) {
    const reason = textOf(reasonAt(record));
    if (reason !== undefined)
      offer.typeTransaction = lookUp(REASONS, reason, `${BASE}.aanmeldingsreden`, context) ?? 'autre';
    offer.prixSurDemande = true;
  }
  const mention = inOneLine(mentions);
  return { ...offer, ...(mention !== undefined && { prixMention: mention }) };
}

export function isHidden(record: JsonRecord, side: 'sale' | 'rent'): boolean {
  return ON_REQUEST.test(textOf((side === 'sale' ? pricePrefixAt : rentPrefixAt)(record)) ?? '');
}

/** Whether there is an amount. 0 and 1 both mean no amount: offices write 1 if there is no amount to show. */
function isGiven(amount: unknown): boolean {
  const text = textOf(amount);
  return text !== undefined && !/^[01](?:[.,]0+)?$/.test(text);
}

/** @returns the qualifier of the price. */
function addPrice(offer: Offer, record: JsonRecord, context: RecordContext): string | undefined {
  const amount = priceAt(record);
  const isShown = isGiven(amount) && !isHidden(record, 'sale');
  const price = isShown ? readSalePrice(amount, `${BASE}.koopprijs`, context) : undefined;
  if (price !== undefined) offer.prix = price;
  else if (!isShown || !isDoubtful(amount, context)) offer.prixSurDemande = true;
  const condition = textOf(conditionAt(record));
  const known = lookUp(CONDITIONS, condition, `${BASE}.koopconditie`, context);
  return inOneLine([prefixOf(textOf(pricePrefixAt(record))), price === undefined ? undefined : known]);
}

/** @returns the qualifier of the rent. */
function addRent(offer: Offer, record: JsonRecord, context: RecordContext): string | undefined {
  const amount = rentAt(record);
  const isShown = isGiven(amount) && !isHidden(record, 'rent');
  const rent = isShown ? readPrice(amount, `${BASE}.huurprijs`, context) : undefined;
  const word = textOf(periodAt(record));
  const period =
    word === undefined ? 'mois' : lookUp(PERIODS, word, `${BASE}.huurconditie`, context, 'implausible_value');
  if (rent !== undefined && period !== undefined) Object.assign(offer, rentFor(period, rent));
  else if (!isShown || (rent === undefined && !isDoubtful(amount, context))) offer.prixSurDemande = true;
  return prefixOf(textOf(rentPrefixAt(record)));
}

function prefixOf(word: string | undefined): string | undefined {
  if (word === undefined || ON_REQUEST.test(word) || PLAIN_PREFIXES.find(word) === true) return undefined;
  return spoken(word);
}
