/** A function that turns a word of one language into its singular. The word is in lower case, without accents. */
type Singular = (word: string) => string;

/** The plural of shorter words cannot be recognized by their ending. */
const FEWEST_LETTERS = 4;

const CONSONANT = '[bcdfghjklmnpqrstvwxz]';

/** The rules of one language, each with an ending and its replacement. Only the first matching rule applies. */
function byEndings(...rules: readonly (readonly [ending: string, instead: string])[]): Singular {
  const compiled = rules.map(([ending, instead]) => [new RegExp(`${ending}$`), instead] as const);
  return (word) => {
    const rule = word.length < FEWEST_LETTERS ? undefined : compiled.find(([ending]) => ending.test(word));
    return rule === undefined ? word : word.replace(...rule);
  };
}

/** Gives singular and plural one form, which need not be a word; `location` stays different from `locataire`. */
const SINGULARS: ReadonlyMap<string, Singular> = new Map([
  ['fr', byEndings(['eaux', 'eau'], ['aux', 'al'], ['[sx]', ''])],
  ['es', byEndings(['ces', 'z'], [`(?<=${CONSONANT})es?`, ''], ['s', ''])],
  ['pt', byEndings(['(?:oes|aes)', 'ao'], ['ais', 'al'], ['eis', 'el'], ['ns', 'm'], ['(?<=[rz])es', ''], ['s', ''])],
  ['ca', byEndings(['es', 'a'], ['s', ''])],
  ['it', byEndings(['i?[oi]', ''], ['(?:he|hi)', ''], ['[ae]', ''])],
  ['en', byEndings(['ies', 'y'], ['(?<=ss|sh|ch|x)es', ''], ['(?<=[^siu])s', ''])],
  ['de', byEndings([`(?<=.{4})(?:ern|en|er|es|e|(?<=el)n)`, ''], [`(?<=.{4}[bdfghklmnrto])s`, ''])],
  [
    'nl',
    byEndings(
      ['(?<=.{3}([bdfgklmnprst]))\\1en', ''],
      ['zen', 's'],
      ['ven', 'f'],
      ['(?<=.{3})en', ''],
      ['(?<=[bcdefgklmnprt])s', ''],
    ),
  ],
]);

/** The singular of a folded word in a language (ISO 639-1); the word itself in a language without rules. */
export function singularOf(word: string, language: string): string {
  return SINGULARS.get(language)?.(word) ?? word;
}
