import { ownText } from '../text/own-text';
import { comparedWord, isInWord } from './folded-words';

/** 48 bits: a listing of a hundred words has another word's hash with a probability of about 1 in 3 × 10^12. */
export interface Term {
  /** 32 bits, with a sign. */
  readonly low: number;
  /** 16 bits. */
  readonly high: number;
}

interface MarkedTerm extends Term {
  /** The number of the last set that contains the term. */
  mark: number;
}

/** Bytes per term in a set: first the lower parts of all terms, then the higher parts, little-endian. */
export const TERM_BYTES = { low: 4, high: 2, both: 6 } as const;
/** The maximum number of cached spellings; agencies use the same few thousand words again and again. */
const MOST_WORDS = 30_000;
/** Longer words are not cached, because they seldom repeat. */
const MOST_LETTERS = 40;
/** The slots of the cache; a power of two. */
const PLACES = 65_536;
/** How many slots a word may use, from its own slot on. A word that finds them all taken is hashed each time. */
const NEXT_PLACES = 16;
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

interface KnownWord {
  readonly word: string;
  /** Its number. */
  readonly language: number;
  readonly term: MarkedTerm;
}

/** Caches the terms of words, because most texts consist of the same words. */
export class TermSets {
  /** Finds words by their letters inside the text, because cutting them out takes longer. */
  private readonly places = new Array<KnownWord | null>(PLACES).fill(null);
  /** By language and compared form: words that compare as equal share one term. */
  private readonly terms = new Map<string, MarkedTerm>();
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
    const number = this.languages.get(language) ?? this.languages.size;
    this.languages.set(language, number);
    const { length } = text;
    const units = (length < MOST_KEPT_UNITS ? this.memory : new TextUnits(length + 1)).of(text);
    let start = -1;
    let mixed = number;
    for (let at = 0; at <= length; at += 1) {
      const unit = units[at]!;
      if (isInWord(unit)) {
        if (start < 0) start = at;
        mixed = Math.imul(mixed ^ unit, 0x9e3779b1);
      } else if (start >= 0) {
        const term =
          this.find(units, start, at, number, mixed) ?? this.remember(text.slice(start, at), language, number, mixed);
        if (term.mark !== this.mark) found.push(term);
        term.mark = this.mark;
        start = -1;
        mixed = number;
      }
    }
  }

  private find(
    units: Uint16Array,
    start: number,
    end: number,
    language: number,
    mixed: number,
  ): MarkedTerm | undefined {
    for (let next = 0; next < NEXT_PLACES; next += 1) {
      const known = this.places[placeOf(mixed, next)] ?? null;
      if (known === null) return undefined;
      if (known.language === language && isAt(known.word, units, start, end)) return known.term;
    }
    return undefined;
  }

  private remember(word: string, language: string | null, number: number, mixed: number): MarkedTerm {
    if (word.length > MOST_LETTERS) return markedTerm(nameOf(word, language));
    const name = nameOf(word, language);
    const term = this.terms.get(name) ?? markedTerm(name);
    this.terms.set(name, term);
    this.words += 1;
    for (let next = 0; next < NEXT_PLACES; next += 1) {
      const place = placeOf(mixed, next);
      if (this.places[place] !== null) continue;
      this.places[place] = { word: ownText(word), language: number, term };
      break;
    }
    return term;
  }

  private forget(): void {
    this.places.fill(null);
    this.terms.clear();
    this.words = 0;
  }
}

function markedTerm(name: string): MarkedTerm {
  const { low, high } = termNamed(name);
  return { low, high, mark: 0 };
}

/** The slot of a word, from the hash of its letters. @param next how many slots after the first */
function placeOf(mixed: number, next: number): number {
  return ((mixed ^ (mixed >>> 16)) + next) & (PLACES - 1);
}

function isAt(word: string, units: Uint16Array, start: number, end: number): boolean {
  const { length } = word;
  if (length !== end - start) return false;
  for (let at = start; at < end; at += 1) if (word.charCodeAt(at - start) !== units[at]) return false;
  return true;
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
  const bytes = Buffer.allocUnsafe(terms.length * TERM_BYTES.both);
  let at = 0;
  for (const { low } of terms) at = bytes.writeInt32LE(low, at);
  for (const { high } of terms) at = bytes.writeUInt16LE(high, at);
  return bytes;
}
