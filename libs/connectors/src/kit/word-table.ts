import type { WarningCode } from '@passerelle/domain';
import { toCurrency } from './clean/money';
import { toCountry } from './clean/place';
import { foldWord } from './clean/fold-word';
import type { RecordContext } from './contracts';

/** A table of a feed's words. It ignores case, accents, hyphens and blanks. */
export interface WordTable<T> {
  find(word: string): T | undefined;
}

/** The maximum number of spellings that a table caches. Feeds repeat a few words. */
const REMEMBERED_SPELLINGS = 2_000;

/** @throws Error when two spellings are the same word and have different meanings. */
export function wordTable<T extends string | number | boolean | object>(
  words: Readonly<Record<string, T>>,
): WordTable<T> {
  const folded = new Map<string, T>();
  for (const [word, meaning] of Object.entries(words)) {
    const key = foldWord(word);
    const known = folded.get(key);
    if (known !== undefined && known !== meaning)
      throw new Error(`"${word}" appears twice in one table, with two meanings`);
    folded.set(key, meaning);
  }
  const spellings = new Map<string, T | undefined>();
  return {
    find(word) {
      const remembered = spellings.get(word);
      if (remembered !== undefined || spellings.has(word)) return remembered;
      const meaning = folded.get(foldWord(word));
      if (spellings.size < REMEMBERED_SPELLINGS && word.length < 100) spellings.set(word, meaning);
      return meaning;
    },
  };
}

/** Looks up a word; for use inside `computed`. An unknown word gives a warning with `code`. */
export function lookUp<T>(
  table: WordTable<T>,
  word: string | undefined,
  field: string,
  context: RecordContext,
  code: WarningCode = 'unknown_word',
): T | undefined {
  return word === undefined ? undefined : noticed(table.find(word), word, field, context, code);
}

/** Reads the country that a record names, as ISO 3166-1 alpha-2. An unknown word gives undefined and a warning. */
export function readCountry(word: string | undefined, field: string, context: RecordContext): string | undefined {
  return word === undefined ? undefined : noticed(toCountry(word), word, field, context);
}

/**
 * The record's currency, else the setting `devise`, else `usual`. An unknown word gives no currency, because a wrong
 * one is worse.
 */
export function readCurrency(
  word: string | undefined,
  field: string,
  context: RecordContext,
  usual = 'EUR',
): string | undefined {
  if (word !== undefined) return noticed(toCurrency(word), word, field, context);
  return toCurrency(context.settings['devise']) ?? usual;
}

function noticed<T>(
  meaning: T | undefined,
  word: string,
  field: string,
  context: RecordContext,
  code: WarningCode = 'unknown_word',
): T | undefined {
  if (meaning === undefined) context.warn(code, field, word.slice(0, 120));
  return meaning;
}
