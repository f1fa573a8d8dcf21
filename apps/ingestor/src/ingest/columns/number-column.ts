/** Numbers, one to a row, outside of the heap: an array of the engine's is moved about by each garbage collection. */
export class NumberColumn {
  length = 0;

  private constructor(private values: Int32Array | Float64Array) {}

  /** For numbers that fit into 32 bits. */
  static ofSmall(): NumberColumn {
    return new NumberColumn(new Int32Array(FIRST_ROWS));
  }

  /** For identifiers of the database. */
  static ofLarge(): NumberColumn {
    return new NumberColumn(new Float64Array(FIRST_ROWS));
  }

  /** Adds the number of the next row. @returns the row. */
  push(value: number): number {
    if (this.length === this.values.length) this.values = grown(this.values);
    this.values[this.length] = value;
    this.length += 1;
    return this.length - 1;
  }

  /** @returns NaN for a row that there is not. */
  at(row: number): number {
    return row < this.length ? this.values[row]! : NaN;
  }

  set(row: number, value: number): void {
    this.values[row] = value;
  }
}

const FIRST_ROWS = 256;

/** The same numbers with as much space again. */
export function grown<T extends Int32Array | Float64Array>(values: T): T {
  const larger = new (values.constructor as new (length: number) => T)(values.length * 2);
  larger.set(values);
  return larger;
}
