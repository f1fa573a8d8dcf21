const BLOCK_ROWS = 4096;

/** Uses blocks outside of the heap: garbage collection copies a plain array, and a growing array leaves garbage. */
export class NumberColumn {
  length = 0;
  private readonly blocks: (Int32Array | Float64Array)[] = [];

  private constructor(private readonly newBlock: () => Int32Array | Float64Array) {}

  /** For numbers that fit into 32 bits. */
  static ofSmall(): NumberColumn {
    return new NumberColumn(() => new Int32Array(BLOCK_ROWS));
  }

  /** For identifiers of the database. */
  static ofLarge(): NumberColumn {
    return new NumberColumn(() => new Float64Array(BLOCK_ROWS));
  }

  push(value: number): number {
    const row = this.length;
    if (row % BLOCK_ROWS === 0) this.blocks.push(this.newBlock());
    this.length += 1;
    this.set(row, value);
    return row;
  }

  /** The number of a row that exists. */
  at(row: number): number {
    return this.blocks[Math.floor(row / BLOCK_ROWS)]![row % BLOCK_ROWS]!;
  }

  /** All of them. */
  *values(): Generator<number> {
    for (let row = 0; row < this.length; row += 1) yield this.at(row);
  }

  set(row: number, value: number): void {
    this.blocks[Math.floor(row / BLOCK_ROWS)]![row % BLOCK_ROWS] = value;
  }
}
