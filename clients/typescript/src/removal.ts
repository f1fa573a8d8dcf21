/** The listings that a site must remove after it has read a new list. */
export interface RemovalCounts {
  /** Listings that the site has and the list lacks. */
  removed: number;
  /** Those among them whose removal an operator of the gateway has approved. */
  approved: number;
  /** Listings that the site has. */
  of: number;
  /** Token of the list. */
  snapshot: string;
}

/**
 * Whether so many removals wait for a person: everything, more than 5 and more than 20 %, or more than half of at least 4.
 * The gateway holds its own lists back by the same shares.
 */
export function isMassRemoval(removed: number, of: number): boolean {
  if (removed <= 0) return false;
  return removed >= of || (removed > 5 && removed > of * 0.2) || (of >= 4 && removed > of / 2);
}
