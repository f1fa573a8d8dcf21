import { foldWord } from './clean/fold';

/** A table of a feed's words; case, accents, hyphens and blanks do not count. */
export interface WordTable<T> {
  find(word: string): T | undefined;
}

/** Feeds repeat a few words; more spellings than this are not worth remembering. */
const REMEMBERED_SPELLINGS = 2_000;

/**
 * @param words what each word of the feed means.
 * @throws Error when two of the words are the same word and mean different things.
 */
export function wordTable<T extends string | number | boolean | object>(
  words: Readonly<Record<string, T>>,
): WordTable<T> {
  const folded = new Map<string, T>();
  for (const [word, meaning] of Object.entries(words)) {
    const key = foldWord(word);
    const known = folded.get(key);
    if (known !== undefined && known !== meaning)
      throw new Error(`"${word}" stands twice in one table, with two meanings`);
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
