import { createHash, hash } from 'node:crypto';
import { digest } from './recipe';

const PREFIX_BYTES = 32;
const HASH_BYTES = 16;
const SCRATCH_BYTES = 128 * 1024;

/**
 * Hashes records together with all that their mapping can see beside them, so that a record is known again only when
 * it would become the same listing.
 */
export class RecordHasher {
  readonly #contexts = new Map<string, string>();
  /** The context's digest, and behind it room for a record: hashing in one call is several times as fast as in steps. */
  readonly #scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES);

  constructor(private readonly recipe: string) {
    this.#refreshPrefix();
  }

  /** From now on records see `value` under `name`. */
  setContext(name: string, value: unknown): void {
    // undefined has no JSON.
    this.#contexts.set(name, digest(JSON.stringify(value ?? null)));
    this.#refreshPrefix();
  }

  /** 32 hexadecimal characters. */
  hashOf(record: Buffer): string {
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
      digest(JSON.stringify([this.recipe, names.map((name) => [name, this.#contexts.get(name)])])),
      'latin1',
    );
  }
}
