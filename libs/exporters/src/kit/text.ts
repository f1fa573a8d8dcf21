import { hash } from 'node:crypto';

/** Control characters, halves of surrogate pairs and non-characters: XML forbids them, and JSON readers refuse them. */
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]|\p{Surrogate}/gu;
const LINE_BREAKS = /\r\n?|[\u2028\u2029]/g;

/** Any character that the two expressions above may find. Most texts have none, and this test is much faster. */
const RARE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff\ufffe\uffff]/;

/** A text without characters that a format forbids; line breaks are LF. */
export function cleanText(text: string): string {
  if (!RARE.test(text)) return text;
  return text.replace(LINE_BREAKS, '\n').replace(FORBIDDEN, '');
}

/** A text on one line. */
export function oneLine(text: string): string {
  return cleanText(text)
    .replace(/[\n\t ]+/g, ' ')
    .trim();
}

/** At most `most` characters, cut between two words where that loses little. Characters stay whole. */
export function cutText(text: string, most: number): string {
  // A character has one or two units.
  if (text.length <= most) return text;
  const characters = Array.from(text);
  if (characters.length <= most) return text;
  const cut = characters.slice(0, most).join('');
  const wordEnd = Math.max(cut.lastIndexOf(' '), cut.lastIndexOf('\n'));
  return (wordEnd > cut.length * LEAST_KEPT ? cut.slice(0, wordEnd) : cut).trimEnd();
}

const LEAST_KEPT = 0.6;

/** For formats whose readers show texts as HTML: a `<` never begins a tag. */
export function withoutTags(text: string): string {
  return text.includes('<') ? text.replace(/<(?=[a-z!/?])/gi, '< ') : text;
}

const KEPT_HASH = 16;

/**
 * An identifier of at most `most` characters out of the allowed ones. One that does not fit ends with a hash of the
 * whole, so that two long identifiers stay different and each stays the same.
 */
export function fittingId(id: string, most: number, allowed: RegExp = /^[\w./:-]+$/): string {
  if (id.length <= most && allowed.test(id)) return id;
  const start = id.replace(/[^\w-]/g, '').slice(0, Math.max(0, most - KEPT_HASH - 1));
  return `${start}-${hash('sha256', id, 'hex').slice(0, KEPT_HASH)}`.slice(-most);
}

/** A plain decimal number with at most `digits` decimals, six at most: never an exponent. */
export function decimal(value: number, digits: 0 | 1 | 2 | 3 | 4 | 5 | 6 = 2): string {
  return String(Number(value.toFixed(digits)));
}

/** `2026-03-01…` as `01/03/2026`; undefined for a text that is no ISO date. */
export function frenchDay(date: string | undefined): string | undefined {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})/.exec(date ?? '') ?? [];
  return day === undefined ? undefined : `${day}/${month ?? ''}/${year ?? ''}`;
}
