import { hkdfSync, timingSafeEqual } from 'node:crypto';
import { hashApiKey, type StoredApiKey } from './api-key';

/** A key's hash as stored in the database. */
export interface KeyHash {
  hash: Buffer;
  /** Identifies the secret that made the hash; null for the secret in the database, which earlier releases used. */
  keyId: string | null;
}

/** The secrets that make the hashes. */
export interface KeyHashSecrets {
  secretsKey: string | null;
  /** The previous secret, while it is being replaced. */
  secretsKeyOld: string | null;
  /** The installation's own secret, which the database contains. */
  pepper: Buffer;
}

interface HashSecret {
  keyId: string | null;
  secret: Buffer;
}

/**
 * Hashes API keys with a secret that is derived from SECRETS_KEY and not stored in the database; without a SECRETS_KEY,
 * with the installation's own secret. It also verifies older hashes, made with SECRETS_KEY_OLD or with the
 * installation's own secret.
 */
export class KeyHashes {
  private readonly current: HashSecret;
  private readonly secrets: readonly HashSecret[];

  constructor({ secretsKey, secretsKeyOld, pepper }: KeyHashSecrets) {
    const derived = [secretsKey, secretsKeyOld].filter((key) => key !== null).map(derive);
    this.current = secretsKey === null ? { keyId: null, secret: pepper } : derive(secretsKey);
    this.secrets = [...derived, { keyId: null, secret: pepper }];
  }

  /** Makes the hash under which a new key is stored. */
  make(key: string): KeyHash {
    const { keyId, secret } = this.current;
    return { hash: hashApiKey(key, secret), keyId };
  }

  /** Whether the current secret made a hash, so that it need not be replaced. */
  isCurrent({ keyId }: Pick<KeyHash, 'keyId'>): boolean {
    return keyId === this.current.keyId;
  }

  /** Whether this process can compare a key with a hash of this id. */
  knows(keyId: string | null): boolean {
    return this.secrets.some((secret) => secret.keyId === keyId);
  }

  /** Every hash under which a key may be stored, for a look-up; the hash with the current secret comes first. */
  candidates(key: string): KeyHash[] {
    return this.secrets.map(({ keyId, secret }) => ({ hash: hashApiKey(key, secret), keyId }));
  }

  /**
   * The hash that should replace `stored`, for the presented key. Null when the stored hash does not match the key, or
   * the current secret made it.
   */
  renewed(presented: string, stored: KeyHash): KeyHash | null {
    if (presented === '' || this.isCurrent(stored)) return null;
    const isRight = this.candidates(presented).some(
      ({ hash, keyId }) => keyId === stored.keyId && hash.equals(stored.hash),
    );
    return isRight ? this.make(presented) : null;
  }

  /**
   * The stored keys that equal the presented one and have not expired. Takes the same time whether one matches or not,
   * and does the same work when `stored` is empty. An empty key never matches.
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
 * The name of a SECRETS_KEY in hashes and in the database: 8 hex digits. It distinguishes two keys and does not help to
 * guess a key: any text sealed with the key confirms a guess more cheaply, and 32 bits do not reveal a random key.
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
