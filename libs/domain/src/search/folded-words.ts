import { singularOf } from './plurals';

/** Letters that become two letters without their accent, or whose accent Unicode does not separate. */
const SPELLED: Readonly<Record<string, string>> = {
  œ: 'oe',
  æ: 'ae',
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};
const SPELLED_LETTERS = new RegExp(`[${Object.keys(SPELLED).join('')}]`, 'g');
const MARKS = /\p{M}/gu;

/** By UTF-16 unit: 1 for the characters of words, which are letters, digits and their combining marks. */
const IN_WORDS = Uint8Array.from({ length: 0x10000 }, (_, unit) =>
  /[\p{L}\p{N}\p{M}]/u.test(String.fromCharCode(unit)) ? 1 : 0,
);

export function isInWord(unit: number): boolean {
  return IN_WORDS[unit] === 1;
}

/** A text in lower case without accents: `Œuvre d'Été` is `oeuvre d'ete`. */
export function folded(text: string): string {
  // Remove isolated marks first, because sorting a long run of them takes quadratic time.
  const small = text.replace(MARKS, '').normalize('NFKD').replace(MARKS, '').toLowerCase();
  return small.replace(SPELLED_LETTERS, (letter) => SPELLED[letter] ?? letter);
}

/** The words of a text as written, separated by characters that are neither letters nor digits. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  let start = -1;
  for (let at = 0; at <= text.length; at += 1) {
    if (isInWord(text.charCodeAt(at))) {
      if (start < 0) start = at;
    } else if (start >= 0) {
      words.push(text.slice(start, at));
      start = -1;
    }
  }
  return words;
}

/** A word as compared: folded, and in the singular if `language` has rules. `language` is null for a reference. */
export function comparedWord(word: string, language: string | null): string {
  return language === null ? folded(word) : singularOf(folded(word), language);
}
