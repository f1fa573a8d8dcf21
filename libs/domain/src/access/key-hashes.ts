import { hkdfSync, timingSafeEqual } from 'node:crypto';
import { hashApiKey, type StoredApiKey } from './api-key';

export interface KeyHash {
  hash: Buffer;
  /** Identifies the secret that made the hash; null for the secret in the database, which earlier releases used. */
  keyId: string | null;
}

export interface KeyHashSecrets {
  secretsKey: string | null;
  secretsKeyOld: string | null;
  /** The installation's own secret, which the database contains. */
  pepper: Buffer;
}

interface HashSecret {
  keyId: string | null;
  secret: Buffer;
}

/** Hashes with a key derived from SECRETS_KEY, else with the installation's own secret. Also verifies older hashes. */
export class KeyHashes {
  private readonly current: HashSecret;
  private readonly secrets: readonly HashSecret[];

  constructor({ secretsKey, secretsKeyOld, pepper }: KeyHashSecrets) {
    const derived = [secretsKey, secretsKeyOld].filter((key) => key !== null).map(derive);
    this.current = secretsKey === null ? { keyId: null, secret: pepper } : derive(secretsKey);
    this.secrets = [...derived, { keyId: null, secret: pepper }];
  }

  make(key: string): KeyHash {
    const { keyId, secret } = this.current;
    return { hash: hashApiKey(key, secret), keyId };
  }

  isCurrent({ keyId }: Pick<KeyHash, 'keyId'>): boolean {
    return keyId === this.current.keyId;
  }

  knows(keyId: string | null): boolean {
    return this.secrets.some((secret) => secret.keyId === keyId);
  }

  /** Every hash under which a key may be stored, for a look-up; the hash with the current secret comes first. */
  candidates(key: string): KeyHash[] {
    return this.secrets.map(({ keyId, secret }) => ({ hash: hashApiKey(key, secret), keyId }));
  }

  /** A hash with the current secret; null when the stored hash does not match the key or already uses this secret. */
  renewed(presented: string, stored: KeyHash): KeyHash | null {
    if (presented === '' || this.isCurrent(stored)) return null;
    const isRight = this.candidates(presented).some(
      ({ hash, keyId }) => keyId === stored.keyId && hash.equals(stored.hash),
    );
    return isRight ? this.make(presented) : null;
  }

  /** The unexpired keys that match; none for an empty key. A search without match or keys takes the same time. */
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

/** 8 hex digits. They do not help to guess a key, because a guess is cheaper to check with any sealed text. */
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
