/** The listings that a site must remove after it has read a new list. */
export interface RemovalCounts {
  /** Listings that the site has and the new list lacks. */
  removed: number;
  /** How many of the removals an operator of the gateway has approved. */
  approved: number;
  /** How many listings the site has. */
  of: number;
  /** Token of the list. */
  snapshot: string;
}

/**
 * Whether a person must confirm this many removals: all listings, more than 5 and more than 20 %, or more than half of
 * at least 4. The gateway holds its own lists back at the same limits.
 */
export function isMassRemoval(removed: number, of: number): boolean {
  if (removed <= 0) return false;
  return removed >= of || (removed > 5 && removed > of * 0.2) || (of >= 4 && removed > of / 2);
}
