import type { IdScheme, Listing, PlacementRule, PublicationReason } from '@passerelle/domain';

/** Why a listing is not sent: a code, and a sentence for operators. */
export interface Exclusion {
  code: PublicationReason;
  sentence: string;
}

const HOUR_MS = 3_600_000;

/** @returns why the rule leaves a listing out; null when it takes it. `most` is not checked here. */
export function excludedByRule(rule: PlacementRule, listing: Listing): Exclusion | null {
  const { transactions, types, minPrice, maxPrice, label, ids } = rule;
  const { typeTransaction, typeCode, caracteristiques = [] } = listing;
  const out = (sentence: string): Exclusion => ({ code: 'rule', sentence });
  if (transactions !== undefined && !transactions.some((word) => word === typeTransaction))
    return out(
      `the placement takes ${transactions.join(', ')} only, and this is ${typeTransaction ?? 'of no known transaction'}`,
    );
  if (types !== undefined && !types.some((word) => word === typeCode))
    return out(`the placement takes ${types.join(', ')} only, and this is ${typeCode ?? 'of no known type'}`);
  const price = priceOf(listing);
  if (minPrice !== undefined && (price === undefined || price < minPrice))
    return out(price === undefined ? 'it has no price' : `its price ${price} is below ${minPrice}`);
  if (maxPrice !== undefined && (price === undefined || price > maxPrice))
    return out(price === undefined ? 'it has no price' : `its price ${price} is above ${maxPrice}`);
  if (label !== undefined && !caracteristiques.some((word) => word.toLowerCase() === label.toLowerCase()))
    return out(`it does not have the feature "${label}"`);
  if (ids !== undefined && !ids.includes(listing.affId)) return out('it is not on the list of ids of the placement');
  return null;
}

export function priceOf({ prix, loyer }: Pick<Listing, 'prix' | 'loyer'>): number | undefined {
  return prix ?? loyer;
}

/** @param firstListedAtMs undefined for a listing that was listed before any embargo. @returns null when it may be sent */
export function embargoed(
  firstListedAtMs: number | undefined,
  embargoHours: number,
  nowMs: number,
): (Exclusion & { endsAtMs: number }) | null {
  if (firstListedAtMs === undefined) return null;
  const endsAtMs = firstListedAtMs + embargoHours * HOUR_MS;
  if (endsAtMs <= nowMs) return null;
  return {
    code: 'embargo',
    sentence: `it is sent ${embargoHours} hours after the site, at ${new Date(endsAtMs).toISOString()}`,
    endsAtMs,
  };
}

/** A listing that could be sent, for the choice when a placement has a maximum. */
export interface Candidate {
  affId: string;
  price: number | undefined;
  changedAtMs: number;
}

/** @returns the `affId`s that are sent, or null when all are. Equal candidates keep the feed's order. */
export function chosenOf(rule: PlacementRule, candidates: readonly Candidate[]): ReadonlySet<string> | null {
  const { most, priority = 'order' } = rule;
  if (most === undefined || candidates.length <= most) return null;
  const ranked = candidates.toSorted((a, b) => {
    if (priority === 'price') return (b.price ?? 0) - (a.price ?? 0);
    return priority === 'newest' ? b.changedAtMs - a.changedAtMs : 0;
  });
  return new Set(ranked.slice(0, most).map(({ affId }) => affId));
}

/** Gives each listing the id of its advert. An id that was given once is never given to another listing. */
export class AdvertIds {
  private readonly taken: Map<string, string>;

  /** @param known the ids that listings have already, by `affId` */
  constructor(
    private readonly scheme: IdScheme,
    private readonly table: Readonly<Record<string, string>>,
    private readonly known: ReadonlyMap<string, string>,
  ) {
    this.taken = new Map([...known].map(([affId, advertId]) => [advertId, affId]));
  }

  of(affId: string, affNum: string | null): string {
    const present = this.known.get(affId);
    if (present !== undefined) return present;
    const wanted =
      this.scheme === 'own' ? affId : this.scheme === 'reference' ? (affNum ?? affId) : (this.inTable(affId) ?? affId);
    for (const id of [wanted, affId, `${affId}-${wanted}`]) {
      const owner = this.taken.get(id);
      if (owner !== undefined && owner !== affId) continue;
      this.taken.set(id, affId);
      return id;
    }
    throw new Error(`there is no free id for the advert of ${affId}`);
  }

  private inTable(affId: string): string | undefined {
    return Object.hasOwn(this.table, affId) ? this.table[affId] : undefined;
  }
}
