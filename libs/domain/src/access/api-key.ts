import { createHmac, randomBytes } from 'node:crypto';

export interface StoredApiKey {
  id: number;
  hash: Buffer;
  /** Identifies the secret that made the hash; null for the installation's own secret. */
  keyId: string | null;
  /** Milliseconds since 1970; null for a key that does not expire. */
  expiresAtMs: number | null;
}

const KEY_PREFIX = 'psr_';
const TOKEN_PREFIX = 'psx_';
/** The number of characters of a key that may be shown, so that operators can distinguish keys. */
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

export function hashApiKey(key: string, secret: Buffer): Buffer {
  return createHmac('sha256', secret).update(key, 'utf8').digest();
}

/** The scopes of a key: `read` for the list of its gateway, `report` for reports about it, or both. */
export const KEY_SCOPES = ['read', 'report', 'both'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** The purpose for which a request uses its key; the key's scope must include this purpose. */
export type KeyUse = Exclude<KeyScope, 'both'>;

export interface KeyTerms {
  scope: KeyScope;
  /** Addresses and CIDR ranges that may use the key; null for all. */
  networks: readonly string[] | null;
}

/** The terms of new keys, and of keys from releases that stored no terms. */
export const ALL_TERMS: KeyTerms = { scope: 'both', networks: null };

export function isInScope({ scope }: Pick<KeyTerms, 'scope'>, use: KeyUse): boolean {
  return scope === 'both' || scope === use;
}
