const DIGITS = 32;
const WORDS = 4;
const FREE = -1;

/**
 * Hashes of 128 bits, written as 32 hexadecimal digits, one to a row: 16 bytes each, where a string takes three times
 * as many. What is not such a hash, `''` for one, leaves its row without, and is never found.
 */
export class HashColumn {
  private words = new Int32Array(1024 * WORDS);
  private rows = 0;

  /** Adds the hash of the next row. */
  push(hash: string): void {
    const at = this.rows * WORDS;
    if (at === this.words.length) {
      const grown = new Int32Array(this.words.length * 2);
      grown.set(this.words);
      this.words = grown;
    }
    this.rows += 1;
    const words = wordsOf(hash);
    if (words !== null) this.words.set(words, at);
  }

  /** Whether the row has this hash. */
  has(row: number, hash: string): boolean {
    const words = wordsOf(hash);
    return words !== null && this.holds(row, words);
  }

  /** Finds rows by their hashes, as they are now. Of several with one hash the first counts. */
  index(): (hash: string) => number | undefined {
    const slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * this.rows + 1))).fill(FREE);
    const slotOf = (words: Int32Array): number => {
      let slot = words[0]! & (slots.length - 1);
      while (slots[slot] !== FREE && !this.holds(slots[slot]!, words)) slot = (slot + 1) & (slots.length - 1);
      return slot;
    };
    for (let row = 0; row < this.rows; row += 1) {
      const words = this.words.subarray(row * WORDS, (row + 1) * WORDS);
      const slot = slotOf(words);
      if (slots[slot] === FREE && words.some((word) => word !== 0)) slots[slot] = row;
    }
    return (hash) => {
      const words = wordsOf(hash);
      const row = words === null ? FREE : slots[slotOf(words)]!;
      return row === FREE ? undefined : row;
    };
  }

  private holds(row: number, words: Int32Array): boolean {
    const at = row * WORDS;
    for (let word = 0; word < WORDS; word += 1) if (this.words[at + word] !== words[word]) return false;
    return true;
  }
}

const bytes = Buffer.alloc(DIGITS / 2);
const read = new Int32Array(bytes.buffer, bytes.byteOffset, WORDS);

/** @returns the same array each time, to be read at once; null for what is not a hash. */
function wordsOf(hash: string): Int32Array | null {
  return hash.length === DIGITS && bytes.write(hash, 'hex') === bytes.length ? read : null;
}
