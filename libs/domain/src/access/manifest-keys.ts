import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Makes this key different from the keys of sealed texts, hashes and digests. */
const LABEL = 'passerelle: manifests of backups and exports';

/** Signs with a key derived from SECRETS_KEY. One signature covers all files, because a manifest has their digests. */
export class ManifestKeys {
  private readonly keys: readonly Buffer[];
  private readonly current: Buffer | null;

  constructor(secretsKey: string | null, secretsKeyOld: string | null = null) {
    this.current = secretsKey === null ? null : derive(secretsKey);
    this.keys = [secretsKey, secretsKeyOld].filter((key) => key !== null).map(derive);
  }

  get isEmpty(): boolean {
    return this.keys.length === 0;
  }

  get canSign(): boolean {
    return this.current !== null;
  }

  /** HMAC-SHA256 of a manifest's bytes, in hex; null without a SECRETS_KEY. */
  sign(manifest: Buffer): string | null {
    return this.current === null ? null : macOf(this.current, manifest).toString('hex');
  }

  verifies(manifest: Buffer, signature: string): boolean {
    const given = Buffer.from(signature.trim(), 'hex');
    return this.keys.some((key) => {
      const mac = macOf(key, manifest);
      return given.length === mac.length && timingSafeEqual(given, mac);
    });
  }
}

function derive(secretsKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretsKey, '', LABEL, 32));
}

function macOf(key: Buffer, bytes: Buffer): Buffer {
  return createHmac('sha256', key).update(bytes).digest();
}
