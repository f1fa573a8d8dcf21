const FIRST_SLOTS = 1024;
const FREE = -1;

export interface Rows {
  /** An integer of 32 bits that few rows share. */
  keyOf(row: number): number;
  /** Whether the row is the one that `find` searches for. */
  isSought(row: number): boolean;
}

/** A hash table with open addressing that finds rows by their contents: 8 to 16 bytes per row, outside of the heap. */
export class RowIndex {
  private slots: Int32Array;
  private size = 0;

  /** @param expected how many rows will be added, because growing leaves garbage. */
  constructor(
    private readonly rows: Rows,
    expected = 0,
  ) {
    let slots = FIRST_SLOTS;
    while (slots < expected * 2) slots *= 2;
    this.slots = new Int32Array(slots).fill(FREE);
  }

  find(key: number): number | undefined {
    for (let slot = this.firstSlot(key); ; slot = this.slotAfter(slot)) {
      const row = this.slots[slot]!;
      if (row === FREE) return undefined;
      if (this.rows.isSought(row)) return row;
    }
  }

  /** Adds a row that is not in the index yet. */
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
