import { comparedWord, wordsOf } from './folded-words';

/** 64 bits that stand for a word of a language: no two words that anybody has written share them. */
export interface Term {
  readonly low: number;
  readonly high: number;
}

interface MarkedTerm extends Term {
  /** Of the set that it was put into last. */
  mark: number;
}

/** Bytes of a term in a set. */
export const TERM_BYTES = 8;
/** Words that are remembered as they stand in texts: agencies write the same few thousand again and again. */
const MOST_WORDS = 30_000;
/** Longer ones are not remembered: nobody writes them twice. */
const MOST_LETTERS = 40;

/** The words of texts as sets of terms. It remembers the terms of words: most texts are made of the same ones. */
export class TermSets {
  private readonly terms = new Map<string, Map<string, MarkedTerm>>();
  private words = 0;
  private mark = 0;

  /**
   * The words of texts, each once; those that are too long to be remembered as often as they stand there.
   *
   * @param texts each with its language, ISO 639-1; null for a reference, whose words have no plural
   * @returns 8 bytes for each word, little-endian
   */
  of(texts: Iterable<readonly [text: string, language: string | null]>): Buffer {
    this.mark += 1;
    const found: Term[] = [];
    for (const [text, language] of texts) {
      const known = this.termsOf(language);
      for (const word of wordsOf(text)) {
        const term = known.get(word) ?? this.remember(known, word, language);
        if (term.mark === this.mark) continue;
        term.mark = this.mark;
        found.push(term);
      }
    }
    return toBytes(found);
  }

  private termsOf(language: string | null): Map<string, MarkedTerm> {
    if (this.words > MOST_WORDS) {
      this.terms.clear();
      this.words = 0;
    }
    const known = this.terms.get(language ?? '') ?? new Map<string, MarkedTerm>();
    this.terms.set(language ?? '', known);
    return known;
  }

  /** Words that are compared as the same one share a term. It is known by a name that no word of a text has. */
  private remember(known: Map<string, MarkedTerm>, word: string, language: string | null): MarkedTerm {
    if (word.length > MOST_LETTERS) return { ...termOf(word, language), mark: 0 };
    const name = ` ${comparedWord(word, language)}`;
    const term = known.get(name) ?? { ...termOf(word, language), mark: 0 };
    known.set(name, term);
    // A copy: a part of a text would keep the whole text in memory.
    known.set(Buffer.from(word).toString(), term);
    this.words += 1;
    return term;
  }
}

/** The term of a word in a language; null for a reference. */
export function termOf(word: string, language: string | null): Term {
  // The mixing steps of MurmurHash3 over both halves.
  const text = `${language ?? ''}:${comparedWord(word, language)}`;
  let [low, high] = [0x9e3779b9, 0x85ebca6b];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    low = Math.imul(low ^ unit, 0x9e3779b1);
    high = Math.imul(high ^ unit, 0x5f356495);
  }
  const mixed = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  const other = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  return { low: mixed | 0, high: other | 0 };
}

function toBytes(terms: readonly Term[]): Buffer {
  const bytes = Buffer.allocUnsafe(terms.length * TERM_BYTES);
  let at = 0;
  for (const { low, high } of terms) {
    at = bytes.writeInt32LE(low, at);
    at = bytes.writeInt32LE(high, at);
  }
  return bytes;
}
