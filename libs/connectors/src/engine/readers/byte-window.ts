const NOTHING = Buffer.alloc(0);

/**
 * The part of a stream that a scanner still needs. Bytes pass through without a copy unless a token or record spans
 * chunks; one that spans many is grown by doubling, so that the total work stays linear.
 */
export class ByteWindow {
  /** What is in sight. Views into it stay valid after `push`. */
  bytes: Buffer = NOTHING;
  /** Where `bytes` ends in `#storage`; meaningful while `bytes` is a view into it. */
  #storage: Buffer | undefined;
  #storageEnd = 0;

  /** Forgets what lies before `keepFrom` and appends `chunk`. What was at `keepFrom` is at 0 afterwards. */
  push(chunk: Buffer, keepFrom: number): void {
    const keptLength = this.bytes.length - keepFrom;
    if (keptLength === 0) {
      this.#storage = undefined;
      this.bytes = chunk;
      return;
    }
    if (this.#storage !== undefined && this.#storage.length - this.#storageEnd >= chunk.length) {
      chunk.copy(this.#storage, this.#storageEnd);
      this.#storageEnd += chunk.length;
      this.bytes = this.#storage.subarray(this.#storageEnd - keptLength - chunk.length, this.#storageEnd);
      return;
    }
    const length = keptLength + chunk.length;
    const storage = Buffer.allocUnsafeSlow(keptLength > chunk.length ? length * 2 : length);
    this.bytes.copy(storage, 0, keepFrom);
    chunk.copy(storage, keptLength);
    this.#storage = storage;
    this.#storageEnd = length;
    this.bytes = storage.subarray(0, length);
  }
}
