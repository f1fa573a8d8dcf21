import { joinAhead } from './chunk-memory';

const NOTHING = Buffer.alloc(0);

/** The part of a stream that a scanner still needs. Its buffer doubles, so that the total work stays linear. */
export class ByteWindow {
  /** The bytes in the window. Views into it are valid until the next `push`. */
  bytes: Buffer = NOTHING;
  private storage: Buffer = NOTHING;
  /** Where `bytes` ends in `storage`; undefined while `bytes` is the chunk itself. */
  private storageEnd: number | undefined;

  /** Drops the bytes before `keepFrom`, moves the rest to offset 0, and appends `chunk`. */
  push(chunk: Buffer, keepFrom: number): void {
    const kept = this.bytes.subarray(keepFrom);
    const joined = kept.length === 0 ? chunk : joinAhead(kept, chunk);
    if (joined !== undefined) {
      this.storageEnd = undefined;
      this.bytes = joined;
      return;
    }
    const length = kept.length + chunk.length;
    if (this.storageEnd === undefined || this.storage.length - this.storageEnd < chunk.length) {
      this.moveToFront(kept, length);
    }
    const end = (this.storageEnd ?? 0) + chunk.length;
    chunk.copy(this.storage, end - chunk.length);
    this.storageEnd = end;
    this.bytes = this.storage.subarray(end - length, end);
  }

  /** Moves the kept bytes to the start of a storage with room for twice `length` bytes, so that moves are rare. */
  private moveToFront(kept: Buffer, length: number): void {
    const isRoomy = this.storage.length >= 2 * length;
    // A quarter more than needed, so that a slightly longer record does not allocate again.
    const storage = isRoomy ? this.storage : Buffer.allocUnsafeSlow(Math.ceil(2.5 * length));
    kept.copy(storage);
    this.storage = storage;
    this.storageEnd = kept.length;
  }
}
