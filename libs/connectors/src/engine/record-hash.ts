import { createHash, hash } from 'node:crypto';
import type { Connector, SourceConfig } from '../kit/contracts';

const PREFIX_BYTES = 32;
const HASH_BYTES = 16;
const SCRATCH_BYTES = 128 * 1024;

/** 32 hexadecimal characters of SHA-256. */
export function digest(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 32);
}

/**
 * A digest of everything but the feed's bytes that decides which listings they become: connector, version, source and
 * settings. Credentials are left out: a new password changes no listing.
 */
export function mappingKeyOf(connector: Connector, source: SourceConfig, photosKey = ''): string {
  const settings = Object.entries(source.settings).sort(([a], [b]) => (a < b ? -1 : 1));
  const mayHaveFiles = photosKey !== '' && connector.open.container !== 'plain';
  const parts = [connector.code, connector.version, source.url, settings, ...(mayHaveFiles ? [photosKey] : [])];
  return digest(JSON.stringify(parts));
}

/**
 * Hashes a record together with everything that its mapping reads beside it. So a record has a known hash only when it
 * would become the same listing again.
 */
export class RecordHasher {
  readonly #contexts = new Map<string, string>();
  /** The context's digest, then the record: one call hashes several times as fast as a call for each. */
  readonly #scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES);

  constructor(private readonly mappingKey: string) {
    this.#refreshPrefix();
  }

  /** Hashes the records that follow together with `value`. */
  setContext(name: string, value: unknown): void {
    // JSON.stringify(undefined) is undefined.
    this.#contexts.set(name, digest(JSON.stringify(value ?? null)));
    this.#refreshPrefix();
  }

  /** 32 hexadecimal characters. @param photoNames those of its photos that it does not name itself */
  hashOf(record: Buffer, photoNames: readonly string[] = []): string {
    const own = this.#hashOf(record);
    return photoNames.length === 0 ? own : digest(JSON.stringify([own, photoNames]));
  }

  #hashOf(record: Buffer): string {
    const length = PREFIX_BYTES + record.length;
    if (length <= SCRATCH_BYTES) {
      record.copy(this.#scratch, PREFIX_BYTES);
      return hash('sha256', this.#scratch.subarray(0, length), 'buffer').toString('hex', 0, HASH_BYTES);
    }
    const long = createHash('sha256').update(this.#scratch.subarray(0, PREFIX_BYTES)).update(record);
    return long.digest().toString('hex', 0, HASH_BYTES);
  }

  #refreshPrefix(): void {
    const names = [...this.#contexts.keys()].sort();
    this.#scratch.write(
      digest(JSON.stringify([this.mappingKey, names.map((name) => [name, this.#contexts.get(name)])])),
      'latin1',
    );
  }
}
