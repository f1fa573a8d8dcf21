import type { ByteText } from '@passerelle/database';
import { NumberColumn } from './number-column';

/** Scopes, one per row. Rows share few different scopes, so each name is stored once. */
export class ScopeColumn {
  private readonly names: string[] = [];
  private readonly numbers = new Map<string, number>();
  private readonly rows = NumberColumn.ofSmall();
  /** The last scope's bytes and number, because the next scope is usually the same. */
  private last = { bytes: Buffer.alloc(0), number: -1 };

  push(scope: string): void {
    this.rows.push(this.add(scope));
  }

  pushBytes({ bytes, start, end }: ByteText): void {
    if (this.last.number < 0 || this.last.bytes.compare(bytes, start, end) !== 0) {
      this.last = {
        bytes: Buffer.from(bytes.subarray(start, end)),
        number: this.add(bytes.toString('utf8', start, end)),
      };
    }
    this.rows.push(this.last.number);
  }

  /** Adds a scope without a row. @returns its number. */
  add(scope: string): number {
    const known = this.numbers.get(scope);
    if (known !== undefined) return known;
    const number = this.names.push(scope) - 1;
    this.numbers.set(scope, number);
    return number;
  }

  at(row: number): string {
    return this.names[this.rows.at(row)]!;
  }

  has(scope: string): boolean {
    return this.numbers.has(scope);
  }

  /** Each scope once. */
  list(): readonly string[] {
    return this.names;
  }
}
