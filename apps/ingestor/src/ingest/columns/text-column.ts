import type { ByteText } from '@passerelle/database';
import { NumberColumn } from './number-column';

const BLOCK_BYTES = 64 * 1024;

/** Short texts, one to a row. Each takes its UTF-8 and 12 bytes more; a string takes its characters and 24 bytes more. */
export class TextColumn {
  /** A text lies in one block. A text that is larger than a block has a block of its own. */
  private readonly blocks: Buffer[] = [];
  private used = BLOCK_BYTES;
  /** Where each text starts, counted as if all blocks ahead of its own had the same size. */
  private readonly starts = NumberColumn.ofLarge();
  private readonly lengths = NumberColumn.ofSmall();

  get length(): number {
    return this.lengths.length;
  }

  /** Adds the text of the next row. @returns the row. */
  push(text: string): number {
    const length = Buffer.byteLength(text);
    if (length > 0) this.blockFor(length).write(text, this.used);
    return this.note(length);
  }

  /** The same for a text in UTF-8. */
  pushBytes({ bytes, start, end }: ByteText): number {
    const length = end - start;
    if (length > 0) {
      const block = this.blockFor(length);
      // Byte by byte: texts are short, and a call of what is outside of V8 takes longer.
      for (let at = 0; at < length; at += 1) block[this.used + at] = bytes[start + at]!;
    }
    return this.note(length);
  }

  at(row: number): string {
    const length = this.lengths.at(row);
    if (length === 0) return '';
    const at = this.starts.at(row);
    const start = at % BLOCK_BYTES;
    return this.blocks[Math.floor(at / BLOCK_BYTES)]!.toString('utf8', start, start + length);
  }

  /** The block that has room for the next text, at `used`. */
  private blockFor(length: number): Buffer {
    if (this.used + length >= BLOCK_BYTES) {
      this.blocks.push(Buffer.alloc(Math.max(length, BLOCK_BYTES)));
      this.used = 0;
    }
    return this.blocks.at(-1)!;
  }

  /** Notes that the next text is in its place. @returns its row. */
  private note(length: number): number {
    this.starts.push((this.blocks.length - 1) * BLOCK_BYTES + this.used);
    this.used += length;
    return this.lengths.push(length);
  }
}
