import { hkdfSync, timingSafeEqual } from 'node:crypto';
import { hashApiKey, type StoredApiKey } from './api-key';

/** A key's hash as the database keeps it. */
export interface KeyHash {
  hash: Buffer;
  /** Names the secret of the hash; null for the one that the database itself keeps, as releases before did. */
  keyId: string | null;
}

/** What hashes are made with. */
export interface KeyHashSecrets {
  secretsKey: string | null;
  /** The one before it, while it is being replaced. */
  secretsKeyOld: string | null;
  /** The installation's own, kept in the database. */
  pepper: Buffer;
}

interface HashSecret {
  keyId: string | null;
  secret: Buffer;
}

/**
 * Hashes API keys with a secret that is not in the database, but is derived from SECRETS_KEY; without one with the
 * installation's own. Knows hashes of before as well: those made with SECRETS_KEY_OLD, and those of the installation.
 */
export class KeyHashes {
  private readonly current: HashSecret;
  private readonly secrets: readonly HashSecret[];

  constructor({ secretsKey, secretsKeyOld, pepper }: KeyHashSecrets) {
    const derived = [secretsKey, secretsKeyOld].filter((key) => key !== null).map(derive);
    this.current = secretsKey === null ? { keyId: null, secret: pepper } : derive(secretsKey);
    this.secrets = [...derived, { keyId: null, secret: pepper }];
  }

  /** The hash under which a new key is stored. */
  make(key: string): KeyHash {
    const { keyId, secret } = this.current;
    return { hash: hashApiKey(key, secret), keyId };
  }

  /** Whether a hash is one that `make` makes now, and not one to be replaced. */
  isCurrent({ keyId }: Pick<KeyHash, 'keyId'>): boolean {
    return keyId === this.current.keyId;
  }

  /** Whether a key can be held against a hash with this id. */
  knows(keyId: string | null): boolean {
    return this.secrets.some((secret) => secret.keyId === keyId);
  }

  /** Every hash under which a key may be stored, the current one first: to look it up by. */
  candidates(key: string): KeyHash[] {
    return this.secrets.map(({ keyId, secret }) => ({ hash: hashApiKey(key, secret), keyId }));
  }

  /**
   * The hash to store instead of this one, for the key that was presented. Null when the stored hash is not one of that key, or is made
   * with the current secret already.
   */
  renewed(presented: string, stored: KeyHash): KeyHash | null {
    if (presented === '' || this.isCurrent(stored)) return null;
    const isRight = this.candidates(presented).some(
      ({ hash, keyId }) => keyId === stored.keyId && hash.equals(stored.hash),
    );
    return isRight ? this.make(presented) : null;
  }

  /**
   * Those of the stored keys that the presented one is and that have not ended. Takes the same time whichever matches or
   * none, and does the same work when `stored` is empty. An empty key is never right.
   */
  matching<Key extends StoredApiKey>(presented: string, stored: readonly Key[], nowMs: number): Key[] {
    const hashes = this.secrets.map(({ keyId, secret }) => ({ keyId, hash: hashApiKey(presented, secret) }));
    timingSafeEqual(NOBODY, NOBODY);
    const matching: Key[] = [];
    for (const key of stored) {
      const isCurrent = key.expiresAtMs === null || nowMs < key.expiresAtMs;
      const ours = hashes.find(({ keyId }) => keyId === key.keyId);
      if (timingSafeEqual(ours?.hash ?? NOBODY, key.hash) && ours !== undefined && isCurrent) matching.push(key);
    }
    return presented === '' ? [] : matching;
  }
}

/**
 * The name of a SECRETS_KEY, as hashes and the database carry it: 8 hex digits. It tells two keys apart and helps no guess: a guess is
 * confirmed more cheaply by anything that the key has sealed, and of a random key 32 bits say nothing.
 */
export function nameOfSecret(secretsKey: string): string {
  return Buffer.from(hkdfSync('sha256', secretsKey, '', 'passerelle: id of the secret of API keys', 4)).toString('hex');
}

const NOBODY = Buffer.alloc(32);

function derive(secretsKey: string): HashSecret {
  return {
    keyId: nameOfSecret(secretsKey),
    secret: Buffer.from(hkdfSync('sha256', secretsKey, '', 'passerelle: API keys', 32)),
  };
}
