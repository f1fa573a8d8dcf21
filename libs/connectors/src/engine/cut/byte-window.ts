import { joinAhead } from './chunk-memory';

const NOTHING = Buffer.alloc(0);

/**
 * The part of a stream that a scanner still needs. Bytes are copied only when a token or record spans chunks: the kept
 * bytes to the room ahead of the chunk where there is some, else both to one reused buffer. Its size doubles while a record
 * spans more chunks, so the total work stays linear.
 */
export class ByteWindow {
  /** The bytes in the window. Views into it are valid until the next `push`. */
  bytes: Buffer = NOTHING;
  private storage: Buffer = NOTHING;
  /** Where `bytes` ends in `#storage`; undefined while it is the chunk itself. */
  private storageEnd: number | undefined;

  /** Drops the bytes before `keepFrom`, which moves to 0, and appends `chunk`. */
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

  /** Moves the kept bytes to storage for twice `length` bytes, so that moves are rare. */
  private moveToFront(kept: Buffer, length: number): void {
    const isRoomy = this.storage.length >= 2 * length;
    // A quarter more, or each kept record that is longer than those before it would take new memory.
    const storage = isRoomy ? this.storage : Buffer.allocUnsafeSlow(Math.ceil(2.5 * length));
    kept.copy(storage);
    this.storage = storage;
    this.storageEnd = kept.length;
  }
}
