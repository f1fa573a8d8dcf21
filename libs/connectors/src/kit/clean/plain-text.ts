import { decodeEntities, stripMarkup } from './markup';

/**
 * Control and invisible characters, lone surrogates and non-characters: they are illegal in XML or break JSON
 * consumers.
 */

const UNPRINTABLE =
  /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u00ad\u200b\u200e\u200f\u2060\ufeff\ufffe\uffff]|\p{Cs}/gu;

const LINE_BREAKS = /\r\n?|[\u000b\u000c\u0085\u2028\u2029]/g;
const BLANKS = /[ \t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+/g;
const BLANKS_AROUND_BREAKS = / \n ?|\n /g;
const MANY_BREAKS = /\n{4,}/g;
/**
 * Unusual blanks and line breaks, repeated blanks and unprintable characters. A text without any of these skips the
 * replacements.
 */

const RARE =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u00a0\u00ad\u1680\u2000-\u200f\u2028-\u202f\u205f-\u2060\u3000\ud800-\udfff\ufeff\ufffe\uffff]| {2}/;
/** A text without any of these only needs to be trimmed. */

const NEEDS_CLEANING =
  /[<&\u0000-\u001f\u007f-\u00ad\u1680\u2000-\u200f\u2028-\u202f\u205f-\u2060\u3000\ud800-\udfff\ufeff\ufffe\uffff]| {2}/;

/**
 * A text for people: no markup, entities decoded (at most twice, as some exports escape twice), no control characters,
 * LF line breaks, plain blanks, at most two blank lines in a row. Undefined when nothing is left.
 */
export function plainText(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (!NEEDS_CLEANING.test(text)) return text.trim() || undefined;
  let clean = text;
  if (text.includes('<') || text.includes('&')) {
    // Markup may itself be escaped, once or twice, so it is stripped again after each decoding.
    clean = stripMarkup(decodeEntities(stripMarkup(decodeEntities(stripMarkup(text)))));
  }
  if (RARE.test(clean)) clean = clean.replace(LINE_BREAKS, '\n').replace(UNPRINTABLE, '').replace(BLANKS, ' ');
  if (clean.includes(' \n') || clean.includes('\n ')) clean = clean.replace(BLANKS_AROUND_BREAKS, '\n');
  if (clean.includes('\n\n\n\n')) clean = clean.replace(MANY_BREAKS, '\n\n\n');
  clean = clean.trim();
  return clean.includes('<') ? stripMarkup(clean) || undefined : clean || undefined;
}

/** A plain text on one line, for titles, names and addresses. */
export function plainLine(text: string | undefined): string | undefined {
  const clean = plainText(text);
  if (clean?.includes('\n') !== true) return clean;
  const lines = clean.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').join(' ');
}
