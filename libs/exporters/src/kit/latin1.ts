/** Usual characters that ISO 8859-1 does not have, as senders of French formats write them. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  ...{ '‘': "'", '’': "'", '‚': "'", '‛': "'", '′': "'", '“': "'", '”': "'", '„': "'", '″': "'" },
  ...{ œ: 'oe', Œ: 'OE', '€': 'euros', '…': '...', '–': '-', '—': '-', '‐': '-', '‑': '-', '−': '-', '•': '-' },
  ...{ '\u2002': ' ', '\u2003': ' ', '\u2009': ' ', '\u202f': ' ', '\u200b': '', '\ufeff': '' },
  ...{ '™': 'TM', '₂': '2', '₃': '3', ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ı: 'i' },
};
const HAS_OUTSIDE = /[^\u0000-\u00ff]/;
const OUTSIDE = /[^\u0000-\u00ff]/gu;

/** A text in the characters of ISO 8859-1: accents that it lacks are dropped, other characters become spaces. */
export function toLatin1(text: string): string {
  if (!HAS_OUTSIDE.test(text)) return text;
  return text
    .normalize('NFC')
    .replace(/(?<=\d)€/g, ' euros')
    .replace(OUTSIDE, (character) => {
      const known = REPLACEMENTS[character];
      if (known !== undefined) return known;
      const plain = character.normalize('NFKD').replace(OUTSIDE, '');
      return plain === '' ? ' ' : plain;
    })
    .replace(/ +/g, ' ');
}
