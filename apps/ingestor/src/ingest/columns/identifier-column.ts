import type { ByteText } from '@passerelle/database';
import { NumberColumn } from './number-column';
import { RowIndex } from './row-index';
import { TextColumn } from './text-column';

export class IdentifierColumn {
  private readonly texts = new TextColumn();
  private readonly keys = NumberColumn.ofSmall();
  private sought = { identifier: '', key: 0 };
  private readonly index = new RowIndex({
    keyOf: (row) => this.keys.at(row),
    isSought: (row) => this.keys.at(row) === this.sought.key && this.texts.at(row) === this.sought.identifier,
  });

  get length(): number {
    return this.texts.length;
  }

  at(row: number): string {
    return this.texts.at(row);
  }

  rowOf(identifier: string): number | undefined {
    while (this.keys.length < this.texts.length) this.indexNext();
    this.sought = { identifier, key: keyOf(identifier) };
    return this.index.find(this.sought.key);
  }

  /** Adds an identifier if it is new. @returns its row. */
  add(identifier: string): number {
    const known = this.rowOf(identifier);
    if (known !== undefined) return known;
    return this.texts.push(identifier);
  }

  /** Adds an identifier that is new. It is indexed only at the first search. @returns its row. */
  pushBytes(identifier: ByteText): number {
    return this.texts.pushBytes(identifier);
  }

  private indexNext(): void {
    const row = this.keys.length;
    this.keys.push(keyOf(this.texts.at(row)));
    this.index.add(row);
  }
}

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** FNV-1a over characters instead of bytes: http://www.isthe.com/chongo/tech/comp/fnv/ */
function keyOf(text: string): number {
  let key = FNV_OFFSET;
  for (let at = 0; at < text.length; at += 1) key = Math.imul(key ^ text.charCodeAt(at), FNV_PRIME);
  return key ^ (key >> 15);
}
