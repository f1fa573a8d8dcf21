import { createHmac, randomBytes } from 'node:crypto';

/** An API key as the database keeps it. */
export interface StoredApiKey {
  id: number;
  hash: Buffer;
  /** Names the secret of the hash; null for the installation's own. */
  keyId: string | null;
  /** Milliseconds since 1970, or null for a key without an end. */
  expiresAtMs: number | null;
}

const KEY_PREFIX = 'psr_';
const TOKEN_PREFIX = 'psx_';
/** How much of a key may be shown to tell keys apart. */
const VISIBLE_CHARACTERS = 10;

/** A new API key: 32 random bytes, base64url, behind `psr_`. */
export function generateApiKey(): string {
  return KEY_PREFIX + randomBytes(32).toString('base64url');
}

/** A new token that opens the exports of a gateway: as an API key, behind `psx_`. */
export function generateExportToken(): string {
  return TOKEN_PREFIX + randomBytes(32).toString('base64url');
}

/** The part of a key that may be shown: never more than a quarter of it. */
export function visiblePrefix(key: string): string {
  return key.slice(0, Math.min(VISIBLE_CHARACTERS, Math.floor(key.length / 4)));
}

/** A key's keyed hash: see KeyHashes for the secrets. */
export function hashApiKey(key: string, secret: Buffer): Buffer {
  return createHmac('sha256', secret).update(key, 'utf8').digest();
}

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
