import { createHmac, randomBytes } from 'node:crypto';

/** An API key as stored in the database. */
export interface StoredApiKey {
  id: number;
  hash: Buffer;
  /** Identifies the secret of the hash; null for the installation's own. */
  keyId: string | null;
  /** Milliseconds since 1970, or null for a key without an end. */
  expiresAtMs: number | null;
}

const KEY_PREFIX = 'psr_';
const TOKEN_PREFIX = 'psx_';
/** Number of characters of a key that may be shown, to tell keys apart. */
const VISIBLE_CHARACTERS = 10;

/** A new API key: `psr_` and 32 random bytes in base64url. */
export function generateApiKey(): string {
  return KEY_PREFIX + randomBytes(32).toString('base64url');
}

/** A new token that opens the exports of a gateway: `psx_` and 32 random bytes in base64url. */
export function generateExportToken(): string {
  return TOKEN_PREFIX + randomBytes(32).toString('base64url');
}

/** The part of a key that may be shown: at most a quarter of it. */
export function visiblePrefix(key: string): string {
  return key.slice(0, Math.min(VISIBLE_CHARACTERS, Math.floor(key.length / 4)));
}

/** A key's keyed hash: see KeyHashes for the secrets. */
export function hashApiKey(key: string, secret: Buffer): Buffer {
  return createHmac('sha256', secret).update(key, 'utf8').digest();
}

/** The scope of a key: the list of its gateway, reports for it, or both. */
export const KEY_SCOPES = ['read', 'report', 'both'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** The use that a request makes of its key. */
export type KeyUse = Exclude<KeyScope, 'both'>;

/** The scope of a key, and the networks that may use it. */
export interface KeyTerms {
  scope: KeyScope;
  /** Addresses and CIDR ranges that may use it; null for all. */
  networks: readonly string[] | null;
}

/** The default for new keys, and the terms of keys that existed before there were any. */
export const ALL_TERMS: KeyTerms = { scope: 'both', networks: null };

export function isInScope({ scope }: Pick<KeyTerms, 'scope'>, use: KeyUse): boolean {
  return scope === 'both' || scope === use;
}
