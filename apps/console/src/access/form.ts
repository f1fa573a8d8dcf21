import type { Visit } from '../layout/page';
import { PageRefusal } from './page-refusal';

/** The fields of a form, or the parameters of a URL. A field that is given twice has a list as its value. */
export type Fields = Readonly<Record<string, unknown>>;

/** A field's text, truncated, without U+0000, which PostgreSQL refuses; `''` when missing or given twice. */
export function textOf(fields: Fields | undefined, name: string, most = 500): string {
  const value = fields !== undefined && Object.hasOwn(fields, name) ? fields[name] : '';
  return typeof value === 'string' ? value.replaceAll('\0', '').trim().slice(0, most) : '';
}

/** Longer reasons are refused, never truncated. */
export const LONGEST_REASON = 500;
/** A longer text is no reason that an operator typed. */
const LONGEST_TEXT = 50_000;

/** The reason in a form, whole. Browsers send a line break as two characters, but count it as one. */
export function reasonIn(fields: Fields | undefined): string {
  return textOf(fields, 'reason', LONGEST_TEXT).replaceAll('\r\n', '\n');
}

/** The reason in a form. @throws PageRefusal for one that is too long; the error page shows the typed text again */
export function checkedReason(fields: Fields | undefined, { language: { texts } }: Pick<Visit, 'language'>): string {
  const reason = reasonIn(fields);
  if (reason.length > LONGEST_REASON) throw new PageRefusal(texts.risk.tooLong(LONGEST_REASON, reason.length));
  return reason;
}

/** The text if it is one of these words; undefined for any other text. */
export function wordOf<Word extends string>(
  fields: Fields | undefined,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const text = textOf(fields, name);
  return words.find((word) => word === text);
}

/** The known words among the values of a field, which may be given several times. */
export function chosenOf<Word extends string>(
  fields: Fields | undefined,
  name: string,
  words: readonly Word[],
): readonly Word[] {
  const value = fields !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined;
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  return words.filter((word) => texts.includes(word));
}

/** A whole number from 1; undefined for any other text. */
export function numberOf(text: string): number | undefined {
  const number = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
  return number;
}

/** `Date` reads 30 February as a day in March. */
export function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return /^[1-9]\d{3}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** Whole numbers, each once, from a field that is given once or several times, or contains a list with commas. */
export function numbersOf(fields: Fields | undefined, name: string): number[] {
  const value = fields !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined;
  const texts = Array.isArray(value) ? value : [value];
  const numbers = texts
    .flatMap((text) => (typeof text === 'string' ? text.split(',') : []))
    .map(numberOf)
    .filter((number) => number !== undefined);
  return [...new Set(numbers)];
}
