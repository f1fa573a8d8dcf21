import { NumberColumn } from './number-column';

const FIRST_BYTES = 4096;

/** Short texts, one to a row: their UTF-8 and 8 bytes each, where a string takes 24 more than its characters. */
export class TextColumn {
  private bytes = Buffer.alloc(FIRST_BYTES);
  private readonly ends = NumberColumn.ofLarge();

  get length(): number {
    return this.ends.length;
  }

  /** Adds the text of the next row. @returns the row. */
  push(text: string): number {
    const start = this.startOf(this.length);
    const end = start + Buffer.byteLength(text);
    while (end > this.bytes.length) this.grow();
    this.bytes.write(text, start);
    return this.ends.push(end);
  }

  at(row: number): string {
    return this.bytes.toString('utf8', this.startOf(row), this.ends.at(row));
  }

  /** Whether these bytes are the row's text. */
  holds(row: number, text: Uint8Array): boolean {
    return this.bytes.compare(text, 0, text.length, this.startOf(row), this.ends.at(row)) === 0;
  }

  private startOf(row: number): number {
    return row === 0 ? 0 : this.ends.at(row - 1);
  }

  private grow(): void {
    const larger = Buffer.alloc(this.bytes.length * 2);
    this.bytes.copy(larger);
    this.bytes = larger;
  }
}
