import { NumberColumn } from './number-column';

/** Scopes, one to a row. There are few different ones: each name is kept once. */
export class ScopeColumn {
  private readonly names: string[] = [];
  private readonly numbers = new Map<string, number>();
  /** By row, the number of its name. */
  private readonly rows = NumberColumn.ofSmall();

  /** Adds the scope of the next row. */
  push(scope: string): void {
    this.rows.push(this.add(scope));
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
