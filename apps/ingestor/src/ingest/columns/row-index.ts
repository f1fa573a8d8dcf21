const FIRST_SLOTS = 1024;
const FREE = -1;

/** How rows are told apart. */
export interface Rows {
  /** A whole number of 32 bits that few rows share. */
  keyOf(row: number): number;
  /** Whether the row is the one that is being looked for. */
  isSought(row: number): boolean;
}

/** Finds rows by what they hold, in 8 to 16 bytes a row and outside of the heap: a hash table with open addressing. */
export class RowIndex {
  private slots = new Int32Array(FIRST_SLOTS).fill(FREE);
  private size = 0;

  constructor(private readonly rows: Rows) {}

  /** The row with this key that is the one looked for. */
  find(key: number): number | undefined {
    for (let slot = this.firstSlot(key); ; slot = this.slotAfter(slot)) {
      const row = this.slots[slot]!;
      if (row === FREE) return undefined;
      if (this.rows.isSought(row)) return row;
    }
  }

  /** Adds a row that is not there yet. */
  add(row: number): void {
    if (this.size * 2 === this.slots.length) this.grow();
    this.size += 1;
    this.occupy(row);
  }

  private grow(): void {
    const rows = this.slots.filter((row) => row !== FREE);
    this.slots = new Int32Array(this.slots.length * 2).fill(FREE);
    for (const row of rows) this.occupy(row);
  }

  private occupy(row: number): void {
    let slot = this.firstSlot(this.rows.keyOf(row));
    while (this.slots[slot] !== FREE) slot = this.slotAfter(slot);
    this.slots[slot] = row;
  }

  private firstSlot(key: number): number {
    return key & (this.slots.length - 1);
  }

  private slotAfter(slot: number): number {
    return (slot + 1) & (this.slots.length - 1);
  }
}
