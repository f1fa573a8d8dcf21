import type { Listing } from '@passerelle/domain';

import type { XmlRecord } from '../../formats/xml-records';
import { toFlag } from '../../kit/clean/flag';
import { toNumber } from '../../kit/clean/number';
import { compilePath } from '../../kit/path';
import { scalarOf, textOf } from '../../kit/scalar';

/** What the agency takes from the buyer or tenant. */
export type Fees = Pick<Listing, 'honoraires' | 'honorairesUnite' | 'honorairesCharge'>;

const at = {
  isCharged: compilePath('preise.provisionspflichtig'),
  outer: compilePath('preise.aussen_courtage'),
  gross: compilePath('preise.provisionbrutto'),
};
/** `3,57 % inkl. MwSt.` */
const SHARE = /(\d{1,2}(?:[.,]\d{1,4})?)\s*(?:%|prozent)/i;
/** `2` is two monthly rents or two percent: too few to be euros, and not told which. */
const SMALLEST_AMOUNT = 100;

/** From `aussen_courtage`, which is a text, else `provisionbrutto`. `innen_courtage` is what the seller pays: private. */
export function feesOf(record: XmlRecord, isRentOnly: boolean): Fees {
  if (toFlag(scalarOf(at.isCharged(record))) === false) return {};
  const fees = shareOf(textOf(at.outer(record))) ?? amountOf(at.outer(record)) ?? amountOf(at.gross(record));
  return fees === undefined ? {} : { ...fees, honorairesCharge: isRentOnly ? 'locataire' : 'acquereur' };
}

function shareOf(text: string | undefined): Fees | undefined {
  const share = toNumber(SHARE.exec(text ?? '')?.[1]);
  return share === undefined || share <= 0 ? undefined : { honoraires: share, honorairesUnite: 'pourcentage' };
}

function amountOf(value: unknown): Fees | undefined {
  const amount = toNumber(scalarOf(value));
  return amount === undefined || amount < SMALLEST_AMOUNT
    ? undefined
    : { honoraires: amount, honorairesUnite: 'montant' };
}
