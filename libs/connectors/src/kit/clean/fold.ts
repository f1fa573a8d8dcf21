const ACCENTS = /\p{M}+/gu;
const LIGATURES = /[œæßø]/g;
const LIGATURE_LETTERS: Readonly<Record<string, string>> = { œ: 'oe', æ: 'ae', ß: 'ss', ø: 'o' };
const SEPARATORS = /[^\p{L}\p{N}]+/gu;

/**
 * A word in the shape in which words are compared: no case, no accents, one space for every run of hyphens, slashes,
 * apostrophes, underscores and spaces. `"Vente-de-Prestige "` and `"vente de prestige"` are the same word.
 */
export function foldWord(word: string): string {
  return word
    .normalize('NFD')
    .replace(ACCENTS, '')
    .toLowerCase()
    .replace(LIGATURES, (letter) => LIGATURE_LETTERS[letter] ?? letter)
    .replace(SEPARATORS, ' ')
    .trim();
}
