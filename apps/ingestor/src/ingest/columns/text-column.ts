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
    if (text === '') {
      this.starts.push(0);
      return this.lengths.push(0);
    }
    const length = Buffer.byteLength(text);
    if (this.used + length >= BLOCK_BYTES) {
      this.blocks.push(Buffer.alloc(Math.max(length, BLOCK_BYTES)));
      this.used = 0;
    }
    this.blocks.at(-1)?.write(text, this.used);
    this.starts.push((this.blocks.length - 1) * BLOCK_BYTES + this.used);
    this.used += length;
    return this.lengths.push(length);
  }

  at(row: number): string {
    const length = this.lengths.at(row);
    if (length === 0) return '';
    const at = this.starts.at(row);
    const start = at % BLOCK_BYTES;
    return this.blocks[Math.floor(at / BLOCK_BYTES)]!.toString('utf8', start, start + length);
  }
}
