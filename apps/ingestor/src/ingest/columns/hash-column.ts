import type { ByteText } from '@passerelle/database';
import { RowIndex } from './row-index';

const DIGITS = 32;
const WORDS = 4;
const BLOCK_ROWS = 4096;

/** The words of a hash. */
export type HashWords = Int32Array;

/** Takes 16 bytes per row; a string takes three times as many. A text that is no 128-bit hash is never found. */
export class HashColumn {
  private readonly blocks: Int32Array[] = [];
  private rows = 0;

  pushBytes({ bytes, start, end }: ByteText): void {
    const row = this.rows;
    if (row % BLOCK_ROWS === 0) this.blocks.push(new Int32Array(BLOCK_ROWS * WORDS));
    this.rows += 1;
    const words = wordsOf(end - start, (digit) => bytes[start + digit]!);
    if (words !== null) this.set(row, words);
  }

  /** Leaves a row empty. */
  clear(row: number): void {
    this.set(row, NO_WORDS);
  }

  /** @param masks the row may hold the hash xor one of these; by default it holds the hash itself */
  has(row: number, hash: string, masks: readonly HashWords[] = NO_MASKS): boolean {
    const words = wordsOfText(hash);
    return words !== null && masks.some((mask) => this.holds(row, words, mask));
  }

  /** The hash of a row; undefined for an empty row. */
  textAt(row: number): string | undefined {
    if (this.holds(row, NO_WORDS)) return undefined;
    return [...this.wordsAt(row)].map((word) => (word >>> 0).toString(16).padStart(DIGITS_IN_WORD, '0')).join('');
  }

  /** Makes a function that finds the first of the present rows with a given hash. @param masks as in `has` */
  index(masks: readonly HashWords[] = NO_MASKS): (hash: string) => number | undefined {
    let sought: Int32Array = NO_WORDS;
    const find = (words: Int32Array): number | undefined => {
      sought = words;
      return index.find(words[0]!);
    };
    const index = new RowIndex(
      {
        keyOf: (row) => this.blocks[Math.floor(row / BLOCK_ROWS)]![(row % BLOCK_ROWS) * WORDS]!,
        isSought: (row) => this.holds(row, sought),
      },
      this.rows,
    );
    for (let row = 0; row < this.rows; row += 1) {
      if (!this.holds(row, NO_WORDS) && find(this.wordsAt(row)) === undefined) index.add(row);
    }
    return (hash) => {
      const words = wordsOfText(hash);
      if (words === null) return undefined;
      for (const mask of masks) {
        const row = find(xorOfWords(words, mask));
        if (row !== undefined) return row;
      }
      return undefined;
    };
  }

  private holds(row: number, words: HashWords, mask: HashWords = NO_WORDS): boolean {
    const block = this.blocks[Math.floor(row / BLOCK_ROWS)]!;
    const at = (row % BLOCK_ROWS) * WORDS;
    for (let word = 0; word < WORDS; word += 1) if (block[at + word] !== (words[word]! ^ mask[word]!)) return false;
    return true;
  }

  private set(row: number, words: Int32Array): void {
    const at = (row % BLOCK_ROWS) * WORDS;
    const block = this.blocks[Math.floor(row / BLOCK_ROWS)]!;
    for (let word = 0; word < WORDS; word += 1) block[at + word] = words[word]!;
  }

  /** @returns the same array for each call. */
  private wordsAt(row: number): Int32Array {
    const at = (row % BLOCK_ROWS) * WORDS;
    const block = this.blocks[Math.floor(row / BLOCK_ROWS)]!;
    for (let word = 0; word < WORDS; word += 1) read[word] = block[at + word]!;
    return read;
  }
}

const DIGITS_IN_WORD = DIGITS / WORDS;
const BITS_IN_DIGIT = 4;
/** The value of a hexadecimal digit by its character code; -1 for any other ASCII character. */
const VALUES = Int8Array.from({ length: 128 }, (_, code) => '0123456789abcdef'.indexOf(String.fromCharCode(code)));
const NO_WORDS = new Int32Array(WORDS);
const NO_MASKS = [NO_WORDS];
const read = new Int32Array(WORDS);
const masked = new Int32Array(WORDS);

/** @returns the same array for each call */
function xorOfWords(words: HashWords, mask: HashWords): HashWords {
  for (let word = 0; word < WORDS; word += 1) masked[word] = words[word]! ^ mask[word]!;
  return masked;
}

/** @throws Error when the text is no hash */
export function hashWords(hash: string): HashWords {
  const words = wordsOfText(hash);
  if (words === null) throw new Error('a mask is no hash');
  return words.slice();
}

function wordsOfText(hash: string): Int32Array | null {
  return wordsOf(hash.length, (digit) => hash.charCodeAt(digit));
}

/** Parses faster than native code. @returns the same array for each call; null for a text that is not a hash */
function wordsOf(length: number, codeOf: (digit: number) => number): Int32Array | null {
  if (length !== DIGITS) return null;
  for (let word = 0, at = 0; word < WORDS; word += 1) {
    let value = 0;
    for (const end = at + DIGITS_IN_WORD; at < end; at += 1) {
      const digit = VALUES[codeOf(at)] ?? -1;
      if (digit < 0) return null;
      value = (value << BITS_IN_DIGIT) | digit;
    }
    read[word] = value;
  }
  return read;
}
