import { type Term, termOf } from '@passerelle/domain';
import { LRUCache } from 'lru-cache';
import type { SearchedListing } from './searched-listing';

/** The most cached words. All pages of a search use the same words, as do many visitors. */
const MOST_WORDS = 50;
const YES = 1;
const NO = 2;

/** Searches each listing only once for each of the most recent words. */
export class WordAnswers {
  static readonly bytesOfListing = MOST_WORDS;
  /** Answers by word and by the position of the listing; 0 if the answer is not known. */
  private readonly answers = new LRUCache<string, Uint8Array>({ max: MOST_WORDS });

  constructor(private readonly listings: readonly SearchedListing[]) {}

  /** Whether the listing at a position has the word in its reference, or as a singular in one of its languages. */
  testOf(word: string): (position: number) => boolean {
    const answers = this.answers.get(word) ?? new Uint8Array(this.listings.length);
    this.answers.set(word, answers);
    const termsOf = termsByLanguages(word);
    return (position) => {
      const known = answers[position];
      if (known !== 0) return known === YES;
      const listing = this.listings[position]!;
      const isThere = listing.hasOneOf(termsOf(listing.languages));
      answers[position] = isThere ? YES : NO;
      return isThere;
    };
  }
}

function termsByLanguages(word: string): (languages: string) => readonly Term[] {
  const made = new Map<string, readonly Term[]>();
  return (languages) => {
    const terms =
      made.get(languages) ??
      [null, ...languages.split(',').filter((language) => language !== '')].map((language) => termOf(word, language));
    made.set(languages, terms);
    return terms;
  };
}
