import type { ByteText } from '@passerelle/database';
import { NumberColumn } from './number-column';

const BLOCK_BYTES = 64 * 1024;

/** Short texts, one per row. Each takes its UTF-8 and 12 more bytes; a string takes its characters and 24 more bytes. */
export class TextColumn {
  /** A text is in one block. A text that is larger than a block has its own block. */
  private readonly blocks: Buffer[] = [];
  private used = BLOCK_BYTES;
  /** The start of each text, counted as if all earlier blocks had the same size. */
  private readonly starts = NumberColumn.ofLarge();
  private readonly lengths = NumberColumn.ofSmall();

  get length(): number {
    return this.lengths.length;
  }

  push(text: string): number {
    const length = Buffer.byteLength(text);
    if (length > 0) this.blockFor(length).write(text, this.used);
    return this.note(length);
  }

  pushBytes({ bytes, start, end }: ByteText): number {
    const length = end - start;
    if (length > 0) {
      const block = this.blockFor(length);
      // Copy byte by byte: texts are short, and a call of native code takes longer.
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

  /** The block with room for the next text, at `used`. */
  private blockFor(length: number): Buffer {
    if (this.used + length >= BLOCK_BYTES) {
      this.blocks.push(Buffer.alloc(Math.max(length, BLOCK_BYTES)));
      this.used = 0;
    }
    return this.blocks.at(-1)!;
  }

  private note(length: number): number {
    this.starts.push((this.blocks.length - 1) * BLOCK_BYTES + this.used);
    this.used += length;
    return this.lengths.push(length);
  }
}
