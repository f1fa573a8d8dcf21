import { ownText } from '../text/own-text';
import { comparedWord, isInWord } from './folded-words';

/** 48 bits: a listing of a hundred words has another word's hash with a probability of about 1 in 3 × 10^12. */
export interface Term {
  /** 32 bits, with a sign. */
  readonly low: number;
  /** 16 bits. */
  readonly high: number;
}

/** Bytes per term in a set: first the lower parts of all terms, then the higher parts, little-endian. */
export const TERM_BYTES = { low: 4, high: 2, both: 6 } as const;
/** The maximum number of cached spellings; agencies use the same few thousand words again and again. */
const MOST_WORDS = 30_000;
/** Longer words are not cached, because they seldom repeat. */
const MOST_LETTERS = 40;
/** The slots of the cache; a power of two. */
const SLOTS = 65_536;
/** How many slots a word may use, from its own slot on. A word that finds them all taken is hashed each time. */
const NEXT_SLOTS = 16;
/** No term: the slot is free. */
const FREE = 0;
/** A longer text gets separate memory. In UTF-16 units. */
const MOST_KEPT_UNITS = 32 * 1024;

/** Memory for a text as UTF-16, because reading each unit from a V8 string takes longer. */
class TextUnits {
  private readonly units: Uint16Array;
  private readonly bytes: Buffer;

  constructor(length: number) {
    this.units = new Uint16Array(length);
    this.bytes = Buffer.from(this.units.buffer);
  }

  /** The text's units and a final zero; valid until the next call. */
  of(text: string): Uint16Array {
    this.bytes.write(text, 'utf16le');
    this.units[text.length] = 0;
    return this.units;
  }
}

/**
 * Caches the terms of words, because most texts consist of the same words. A cached spelling is known by 64 bits of its
 * language and letters, in arrays outside of the heap: comparing the letters would take twice as long. Two of 30,000
 * spellings have the same bits with a probability of 1 in 4 × 10^10, which is less than for the 48 bits of a term.
 */
export class TermSets {
  /** By slot: the two halves of a spelling's bits, and the number of its term. */
  private readonly firsts = new Int32Array(SLOTS);
  private readonly seconds = new Int32Array(SLOTS);
  private readonly numbers = new Int32Array(SLOTS);
  /** By the number of the term, from 1 on. */
  private readonly terms: Term[] = [];
  /** By the number of the term: the last set that contains it. */
  private readonly marks = new Int32Array(SLOTS + 1);
  /** By language and compared form: words that compare as equal share one term. */
  private readonly named = new Map<string, number>();
  private readonly languages = new Map<string | null, number>();
  private readonly memory = new TextUnits(MOST_KEPT_UNITS);
  private words = 0;
  private mark = 0;

  /** `TERM_BYTES` per word; long words may repeat. @param texts with their language, ISO 639-1; null for a reference */
  of(texts: Iterable<readonly [text: string, language: string | null]>): Buffer {
    if (this.words > MOST_WORDS) this.forget();
    this.mark += 1;
    const found: Term[] = [];
    for (const [text, language] of texts) this.add(text, language, found);
    return toBytes(found);
  }

  private add(text: string, language: string | null, found: Term[]): void {
    const spoken = this.languages.get(language) ?? this.languages.size;
    this.languages.set(language, spoken);
    const { length } = text;
    const units = (length < MOST_KEPT_UNITS ? this.memory : new TextUnits(length + 1)).of(text);
    const { marks, mark } = this;
    let start = -1;
    let first = spoken;
    let second = spoken;
    for (let at = 0; at <= length; at += 1) {
      const unit = units[at]!;
      if (isInWord(unit)) {
        if (start < 0) start = at;
        first = Math.imul(first ^ unit, 0x9e3779b1);
        second = Math.imul(second ^ unit, 0x85ebca6b) + unit;
      } else if (start >= 0) {
        const number = this.find(first, second) || this.remember(text.slice(start, at), language, first, second);
        if (number === FREE) found.push(termOf(text.slice(start, at), language));
        else if (marks[number] !== mark) {
          found.push(this.terms[number]!);
          marks[number] = mark;
        }
        start = -1;
        first = spoken;
        second = spoken;
      }
    }
  }

  /** The number of a cached spelling's term, or `FREE`. */
  private find(first: number, second: number): number {
    const { firsts, seconds, numbers } = this;
    for (let next = 0; next < NEXT_SLOTS; next += 1) {
      const slot = slotOf(first, next);
      const number = numbers[slot]!;
      if (number === FREE || (firsts[slot] === first && seconds[slot] === (second | 0))) return number;
    }
    return FREE;
  }

  /** @returns the number of the word's term; `FREE` when the word is not cached. */
  private remember(word: string, language: string | null, first: number, second: number): number {
    if (word.length > MOST_LETTERS) return FREE;
    for (let next = 0; next < NEXT_SLOTS; next += 1) {
      const slot = slotOf(first, next);
      if (this.numbers[slot] !== FREE) continue;
      const number = this.numberOf(nameOf(word, language));
      this.firsts[slot] = first;
      this.seconds[slot] = second;
      this.numbers[slot] = number;
      this.words += 1;
      return number;
    }
    return FREE;
  }

  private numberOf(name: string): number {
    const known = this.named.get(name);
    if (known !== undefined) return known;
    const number = this.named.size + 1;
    this.named.set(ownText(name), number);
    this.terms[number] = termNamed(name);
    return number;
  }

  private forget(): void {
    this.numbers.fill(FREE);
    this.marks.fill(0);
    this.named.clear();
    this.terms.length = 0;
    this.words = 0;
  }
}

/** The slot of a spelling. @param next how many slots after the first */
function slotOf(first: number, next: number): number {
  return ((first ^ (first >>> 16)) + next) & (SLOTS - 1);
}

/** The term of a word in a language; null for a reference. */
export function termOf(word: string, language: string | null): Term {
  return termNamed(nameOf(word, language));
}

function nameOf(word: string, language: string | null): string {
  return `${language ?? ''}:${comparedWord(word, language)}`;
}

function termNamed(name: string): Term {
  // The finalizer of MurmurHash3 over both halves.
  let [low, high] = [0x9e3779b9, 0x85ebca6b];
  for (let at = 0; at < name.length; at += 1) {
    const unit = name.charCodeAt(at);
    low = Math.imul(low ^ unit, 0x9e3779b1);
    high = Math.imul(high ^ unit, 0x5f356495);
  }
  const mixed = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  const other = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  return { low: mixed | 0, high: other & 0xffff };
}

function toBytes(terms: readonly Term[]): Buffer {
  const { length } = terms;
  const bytes = Buffer.allocUnsafe(length * TERM_BYTES.both);
  const highAt = length * TERM_BYTES.low;
  for (let index = 0; index < length; index += 1) {
    const { low, high } = terms[index]!;
    const at = index * TERM_BYTES.low;
    bytes[at] = low;
    bytes[at + 1] = low >>> 8;
    bytes[at + 2] = low >>> 16;
    bytes[at + 3] = low >>> 24;
    bytes[highAt + 2 * index] = high;
    bytes[highAt + 2 * index + 1] = high >>> 8;
  }
  return bytes;
}
