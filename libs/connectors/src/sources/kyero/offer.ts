import { isRental, type Listing } from '@passerelle/domain';

import type { XmlRecord } from '../../formats/xml-records';
import { toFlag } from '../../kit/clean/flag';
import type { NumberStyle } from '../../kit/clean/number';
import { toMonthlyRent } from '../../kit/clean/rent-period';
import type { RecordContext } from '../../kit/contracts';
import { readPrice, readSalePrice } from '../../kit/price';
import { scalarOf, textOf } from '../../kit/scalar';
import { PRICE_FREQUENCIES } from './lookups';

/** The fields that depend on `price_freq`. */
export type Offer = Pick<Listing, 'typeTransaction' | 'prix' | 'prixSurDemande' | 'loyer' | 'loyerPeriode' | 'neuf'>;

/** The specification asks for digits only: what separates them separates thousands. */
const DIGITS: NumberStyle = { comma: 'thousands', point: 'thousands' };

/** Reads what one property offers, and for how much. A price of `x` or 0 is on request. */
export function readOffer(record: XmlRecord, context: RecordContext): Offer {
  const offer: Offer = {};
  const word = textOf(record['price_freq']);
  const frequency = word === undefined ? undefined : PRICE_FREQUENCIES.find(word);
  if (word !== undefined) {
    offer.typeTransaction = frequency?.typeTransaction ?? 'autre';
    if (frequency === undefined) context.warn('unknown_word', 'price_freq', word.slice(0, 120));
  }
  const isRent = frequency !== undefined && isRental(frequency.typeTransaction);
  const isSale = frequency !== undefined && !isRent;
  const price = (isSale ? readSalePrice : readPrice)(record['price'], 'price', context, DIGITS);
  if (price === undefined) offer.prixSurDemande = true;
  else if (isRent) {
    offer.loyer = toMonthlyRent(price, frequency.period);
    if (frequency.period !== 'mois') offer.loyerPeriode = frequency.period;
  } else offer.prix = price;
  const neuf = frequency?.isNew === true ? true : toFlag(scalarOf(record['new_build']));
  if (neuf !== undefined) offer.neuf = neuf;
  return offer;
}
