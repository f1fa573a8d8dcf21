import { givenBack } from '@passerelle/domain';

const FIRST_BYTES = 256 * 1024;
/** Larger buffers are not kept, because so large responses are rare. */
const MOST_KEPT_BYTES = 4 * 1024 * 1024;
const MOST_KEPT = 10;

/** Unused buffers for later responses: a new buffer per response would make V8 collect garbage all the time. */
const free: Buffer[] = [];

/** The bytes of a response as they arrive, in memory that is reused after `giveBack`. */
export class CopiedBytes {
  private used = 0;

  private constructor(private buffer: Buffer) {}

  static take(): CopiedBytes {
    return new CopiedBytes(free.pop() ?? Buffer.allocUnsafeSlow(FIRST_BYTES));
  }

  /** The received bytes; valid until `giveBack`. */
  get bytes(): Buffer {
    return this.buffer.subarray(0, this.used);
  }

  add(chunk: Buffer): void {
    const used = this.used + chunk.length;
    if (used > this.buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(used, this.buffer.length * 2));
      this.buffer.copy(larger, 0, 0, this.used);
      this.buffer = larger;
    }
    chunk.copy(this.buffer, this.used);
    this.used = used;
  }

  giveBack(): void {
    if (this.buffer.length === 0) return;
    givenBack(this.buffer);
    if (free.length < MOST_KEPT && this.buffer.length <= MOST_KEPT_BYTES) free.push(this.buffer);
    this.buffer = Buffer.alloc(0);
    this.used = 0;
  }
}
