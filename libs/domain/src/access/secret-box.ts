import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
export const SECRETS_KEY_MIN_LENGTH = 32;

/** Encrypts upstream credentials at rest: AES-256-GCM, nonce and tag in front of the text. */
export class SecretBox {
  private readonly key: Buffer;

  /** @param secretsKey any text of at least SECRETS_KEY_MIN_LENGTH characters; its SHA-256 is the key. */
  constructor(secretsKey: string) {
    if (secretsKey.length < SECRETS_KEY_MIN_LENGTH) {
      throw new Error(`SECRETS_KEY must have at least ${SECRETS_KEY_MIN_LENGTH} characters`);
    }
    this.key = createHash('sha256').update(secretsKey, 'utf8').digest();
  }

  seal(text: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  }

  /** @throws Error when the box was sealed with another key or was damaged. */
  open(box: Buffer): string {
    const decipher = createDecipheriv('aes-256-gcm', this.key, box.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(box.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    try {
      return decipher.update(box.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    } catch (error) {
      throw new Error('the stored credentials cannot be read with this SECRETS_KEY', { cause: error });
    }
  }
}
