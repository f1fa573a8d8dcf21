const ACCENT = /\p{M}/u;
const ACCENTS = /\p{M}+/gu;
const LIGATURES = /[œæßø]/g;
const LIGATURE_LETTERS: Readonly<Record<string, string>> = { œ: 'oe', æ: 'ae', ß: 'ss', ø: 'o' };
const SEPARATORS = /[^\p{L}\p{N}]+/gu;

/** A word for comparison: no case, no accents; one space per run of hyphens, slashes, apostrophes, `_` and blanks. */
export function foldWord(word: string): string {
  return withoutMarks(word)
    .normalize('NFD')
    .replace(ACCENTS, '')
    .toLowerCase()
    .replace(LIGATURES, (letter) => LIGATURE_LETTERS[letter] ?? letter)
    .replace(SEPARATORS, ' ')
    .trim();
}

/** Removes combining marks before the decomposition, which would sort a long run of them in quadratic time. */
function withoutMarks(word: string): string {
  return ACCENT.test(word) ? word.replace(ACCENTS, '') : word;
}

const YES = new Set([
  ...['oui', 'o', 'yes', 'y', 'ja', 'j', 'si', 's', 'applies', 'on'],
  ...['vrai', 'v', 'true', 'wahr', 'waar', 'vero', 'verdadero'],
]);
const NO = new Set([
  ...['non', 'n', 'no', 'nein', 'nee', 'neen', 'does not apply', 'off', 'aucun', 'aucune'],
  ...['faux', 'false', 'falsch', 'onwaar', 'falso'],
]);
const NOTHING = new Set([
  ...[
    'nc',
    'nr',
    'non communique',
    'non renseigne',
    'inconnu',
    'unknown',
    'not specified',
    'unspecified',
    'null',
    'n a',
  ],
  ...[
    'vierge',
    'na',
    'none',
    'keine angabe',
    'unbekannt',
    'desconocido',
    'x',
    'en cours',
    'pending',
    'sin especificar',
  ],
]);

/** Maximum length of a text for `toFlag`, in UTF-16 units. A longer one is free text, which takes time to fold. */
const LONGEST_ANSWER = 1000;

/** Whether a word only says that nothing is known, such as `inconnu`; a word without letters counts as well. */
export function saysNothing(word: string): boolean {
  const folded = foldWord(word);
  return NOTHING.has(folded) || !/[a-z]/.test(folded);
}

/** Reads OUI/NON, O/N, Y/N, true/false, 1/0, applies/does-not-apply. A count above zero is a yes. */
export function toFlag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return value > 0 ? true : value === 0 ? false : undefined;
  if (typeof value !== 'string') return undefined;
  switch (value) {
    case 'OUI':
      return true;
    case 'NON':
      return false;
    case '':
      return undefined;
  }
  if (value.length > LONGEST_ANSWER) return undefined;
  const word = foldWord(value);
  if (YES.has(word)) return true;
  if (NO.has(word)) return false;
  return /^\d+(?: \d+)?$/.test(word) ? Number(word.replace(' ', '.')) > 0 : undefined;
}
