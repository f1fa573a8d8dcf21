import type { Listing } from '@passerelle/domain';

import type { PolirisRow } from '../../formats/poliris-rows';
import { toFlag } from '../../kit/clean/flag';
import type { RecordContext } from '../../kit/contracts';
import { readPrice } from '../../kit/price';
import * as v from '../../kit/verbs';
import { FEES_PAID_BY } from './lookups';

/** What the agency takes, and from whom. */
export type Fees = { [K in 'honoraires' | 'honorairesUnite' | 'honorairesCharge']?: Listing[K] | undefined };

const paidBy = v.oneOf(FEES_PAID_BY, '302');
const MOST_PERCENT = 100;

/** Rank 15 is a share of a price and an amount beside a rent. Files older than rank 302 have 256 and 257 for it. */
export function feesOf(row: PolirisRow, isRent: boolean, context: RecordContext): Fees {
  const honoraires = readPrice(row[15], '15', context) ?? (isRent ? undefined : readPrice(row[257], '257', context));
  const isAmount = isRent || (honoraires ?? 0) > MOST_PERCENT;
  return {
    honoraires,
    honorairesUnite: honoraires === undefined ? undefined : isAmount ? 'montant' : 'pourcentage',
    honorairesCharge: paidBy.read(row, context) ?? (isRent ? undefined : paidByFlag(row)),
  };
}

function paidByFlag(row: PolirisRow): Fees['honorairesCharge'] {
  const isPaidByBuyer = toFlag(row[256]);
  return isPaidByBuyer === undefined ? undefined : isPaidByBuyer ? 'acquereur' : 'vendeur';
}
