/** What a key opens: the list of its gateway, reports for it, or both. */
export const KEY_SCOPES = ['read', 'report', 'both'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** What a request does with its key. */
export type KeyUse = Exclude<KeyScope, 'both'>;

/** For what, and from where, a key may be used. */
export interface KeyTerms {
  scope: KeyScope;
  /** Addresses and CIDR ranges from which it is right; null for everywhere. */
  networks: readonly string[] | null;
}

/** What a key has when nobody says otherwise, and what those of before have. */
export const ALL_TERMS: KeyTerms = { scope: 'both', networks: null };

export function isInScope({ scope }: Pick<KeyTerms, 'scope'>, use: KeyUse): boolean {
  return scope === 'both' || scope === use;
}
