import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** An API key as the database keeps it. */
export interface StoredApiKey {
  hash: Buffer;
  /** Milliseconds since 1970, or null for a key without an end. */
  expiresAtMs: number | null;
}

const KEY_PREFIX = 'psr_';
/** How much of a key may be shown to tell keys apart. */
const VISIBLE_CHARACTERS = 10;

/** A new API key: 32 random bytes, base64url, behind `psr_`. */
export function generateApiKey(): string {
  return KEY_PREFIX + randomBytes(32).toString('base64url');
}

/** The part of a key that may be shown: never more than a quarter of it. */
export function visiblePrefix(key: string): string {
  return key.slice(0, Math.min(VISIBLE_CHARACTERS, Math.floor(key.length / 4)));
}

/**
 * The keyed hash under which a key is stored.
 *
 * @param pepper the installation's secret, kept in the database.
 */
export function hashApiKey(key: string, pepper: Buffer): Buffer {
  return createHmac('sha256', pepper).update(key, 'utf8').digest();
}

/**
 * Whether a presented key's hash is one of the stored keys that have not ended.
 * Takes the same time whichever key matches or none, and does the same work when `keys` is empty.
 */
export function matchesApiKey(presentedHash: Buffer, keys: readonly StoredApiKey[], nowMs: number): boolean {
  timingSafeEqual(presentedHash, NOBODY);
  let matches = false;
  for (const key of keys) {
    const isCurrent = key.expiresAtMs === null || nowMs < key.expiresAtMs;
    if (timingSafeEqual(presentedHash, key.hash) && isCurrent) matches = true;
  }
  return matches;
}

const NOBODY = Buffer.alloc(32);
