import { RowIndex } from './row-index';
import { TextColumn } from './text-column';

/** Identifiers, one to a row, no two alike, and the row of each. */
export class IdentifierColumn {
  private readonly texts = new TextColumn();
  private sought = Buffer.alloc(0);
  private readonly index = new RowIndex({
    keyOf: (row) => keyOf(Buffer.from(this.texts.at(row))),
    isSought: (row) => this.texts.holds(row, this.sought),
  });

  get length(): number {
    return this.texts.length;
  }

  at(row: number): string {
    return this.texts.at(row);
  }

  /** All of them, by row. */
  list(): string[] {
    return Array.from({ length: this.length }, (_, row) => this.at(row));
  }

  rowOf(identifier: string): number | undefined {
    this.sought = Buffer.from(identifier);
    return this.index.find(keyOf(this.sought));
  }

  /** The row of an identifier, a new one if it has none. */
  take(identifier: string): number {
    const known = this.rowOf(identifier);
    if (known !== undefined) return known;
    const row = this.texts.push(identifier);
    this.index.add(row);
    return row;
  }
}

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/. Identifiers of one agency differ in their last digits only. */
function keyOf(bytes: Uint8Array): number {
  let key = FNV_OFFSET;
  for (const byte of bytes) key = Math.imul(key ^ byte, FNV_PRIME);
  return key ^ (key >>> 15);
}
