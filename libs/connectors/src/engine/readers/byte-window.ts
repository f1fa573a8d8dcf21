const NOTHING = Buffer.alloc(0);

/**
 * The part of a stream that a scanner still needs. Bytes pass through without a copy unless a token or record spans
 * chunks: then what is kept and the chunk are put together, in memory that is used again and again. It is doubled when a
 * record spans many chunks, so that the total work stays linear.
 */
export class ByteWindow {
  /** What is in sight. Views into it are good until the next `push`. */
  bytes: Buffer = NOTHING;
  #storage: Buffer = NOTHING;
  /** Where `bytes` ends in `#storage`; undefined while it is the chunk itself. */
  #storageEnd: number | undefined;

  /** Forgets what lies before `keepFrom` and appends `chunk`. What was at `keepFrom` is at 0 afterwards. */
  push(chunk: Buffer, keepFrom: number): void {
    const kept = this.bytes.subarray(keepFrom);
    if (kept.length === 0) {
      this.#storageEnd = undefined;
      this.bytes = chunk;
      return;
    }
    const length = kept.length + chunk.length;
    if (this.#storageEnd === undefined || this.#storage.length - this.#storageEnd < chunk.length) {
      this.#moveToFront(kept, length);
    }
    const end = (this.#storageEnd ?? 0) + chunk.length;
    chunk.copy(this.#storage, end - chunk.length);
    this.#storageEnd = end;
    this.bytes = this.#storage.subarray(end - length, end);
  }

  /** Puts what is kept where `length` bytes fit, and as many again, so that this is seldom done. */
  #moveToFront(kept: Buffer, length: number): void {
    const isRoomy = this.#storage.length >= 2 * length;
    const storage = isRoomy ? this.#storage : Buffer.allocUnsafeSlow(2 * length);
    kept.copy(storage);
    this.#storage = storage;
    this.#storageEnd = kept.length;
  }
}
