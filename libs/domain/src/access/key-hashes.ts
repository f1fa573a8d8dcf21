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

const NOBODY = Buffer.alloc(32);

function derive(secretsKey: string): HashSecret {
  const bytes = (info: string, length: number): Buffer => Buffer.from(hkdfSync('sha256', secretsKey, '', info, length));
  return {
    keyId: bytes('passerelle: id of the secret of API keys', 4).toString('hex'),
    secret: bytes('passerelle: API keys', 32),
  };
}
