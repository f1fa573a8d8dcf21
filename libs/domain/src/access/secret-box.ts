import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
export const SECRETS_KEY_MIN_LENGTH = 32;

/** Encrypts secrets of sources at rest: AES-256-GCM, with nonce and tag before the encrypted text. */
export class SecretBox {
  private readonly key: Buffer;
  private readonly oldKey: Buffer | null;

  /** The SHA-256 of `secretsKey` is the key. @param secretsKeyOld the previous key, used only to open texts. */
  constructor(secretsKey: string, secretsKeyOld: string | null = null) {
    this.key = keyOf(secretsKey);
    this.oldKey = secretsKeyOld === null ? null : keyOf(secretsKeyOld);
  }

  seal(text: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  }

  /** A digest of 32 bytes for looking up a secret text. It reveals nothing to a reader without the key. */
  digest(text: string): Buffer {
    const key = Buffer.from(hkdfSync('sha256', this.key, '', DIGEST_KEY, 32));
    return createHmac('sha256', key).update(text, 'utf8').digest();
  }

  /** @throws Error when the box was sealed with another key or was damaged. */
  open(box: Buffer): string {
    const text = opened(box, this.key) ?? (this.oldKey === null ? null : opened(box, this.oldKey));
    if (text !== null) return text;
    throw new Error('this SECRETS_KEY cannot open the sealed data of the database');
  }
}

/** Makes the key of digests different from the key of sealed texts. */
const DIGEST_KEY = 'passerelle digests';

/** Seals a sealed text again with the current key; undefined when no key opens the text. */
export function sealedAnew(box: SecretBox, sealed: Buffer): Buffer | undefined {
  let secret: string;
  try {
    secret = box.open(sealed);
  } catch {
    return undefined;
  }
  return box.seal(secret);
}

function keyOf(secretsKey: string): Buffer {
  if (secretsKey.length < SECRETS_KEY_MIN_LENGTH) {
    throw new Error(`SECRETS_KEY must have at least ${SECRETS_KEY_MIN_LENGTH} characters`);
  }
  return createHash('sha256').update(secretsKey, 'utf8').digest();
}

/** The text in a box; null when the box was sealed with another key, or was damaged. */
function opened(box: Buffer, key: Buffer): string | null {
  if (box.length < NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv('aes-256-gcm', key, box.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(box.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    return decipher.update(box.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return null;
  }
}
