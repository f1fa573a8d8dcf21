import type { ListingField } from '@passerelle/domain';
import type { TitleParts } from './title-words';
import { saysNothing, toFlag } from './clean/fold-word';
import type { RecordContext } from './contracts';
import { type NumberStyle, readNumber } from './clean/number';
import { styleOf } from './number-style';
import { compilePath, scalarOf } from './values';

/** The fields that a mapping answers: all except the connector's code and the fields that are made from others. */
export type MappedField = Exclude<ListingField, 'passerelleName' | 'mentions'>;

/** One answer to "where does this field of a listing come from?". */
export interface Verb<R, T> {
  readonly verb: string;
  /** The paths that it reads, for the documentation and for the tests. */
  readonly paths: readonly string[];
  readonly read: (record: R, context: RecordContext) => T | undefined;
  /** The parts of a built title; `toListing` writes this title in each language of the listing. */
  readonly titleParts?: (record: R, context: RecordContext) => TitleParts | undefined;
}

/** A verb that reads one path; an absent or empty value gives undefined. */
export function verb<T>(
  name: string,
  path: string,
  convert: (value: unknown, context: RecordContext) => T | undefined,
): Verb<unknown, T> {
  const read = compilePath(path);
  return {
    verb: name,
    paths: [path],
    read(record, context) {
      const value = read(record);
      return value === undefined || value === null || value === '' ? undefined : convert(value, context);
    },
  };
}

/** Texts that exporters write for "no date" and "no number". */
const WITHOUT_MEANING =
  /^(?:-\s*1|(?:1899-12-30|1900-01-0[01]|1970-01-01|0*1-01-01)\b.*|(?:30[/.]12[/.]1899|0?[01][/.]0?1[/.](?:1900|1970))\b.*)$/;

/** Converts a value, and warns about digits that `convert` cannot interpret. */
export function noticed<T>(
  convert: (value: unknown) => T | undefined,
  value: unknown,
  path: string,
  context: RecordContext,
): T | undefined {
  const written = scalarOf(value);
  const meaning = convert(written);
  const text = String(written ?? '');
  if (meaning === undefined && /[1-9]/.test(text) && !WITHOUT_MEANING.test(text))
    context.warn('implausible_value', path, text.slice(0, 120));
  return meaning;
}

/** Converts the value of a numeric field. Words give a warning too, except yes, no and words for "unknown". */
export function noticedCount(
  convert: (value: unknown) => number | undefined,
  value: unknown,
  path: string,
  context: RecordContext,
): number | undefined {
  const count = noticed(convert, value, path, context);
  if (count === undefined) noticeWord(value, path, context);
  return count;
}

function noticeWord(value: unknown, path: string, context: RecordContext): void {
  const written = scalarOf(value);
  if (typeof written !== 'string' || /\d/.test(written) || saysNothing(written) || toFlag(written) !== undefined)
    return;
  context.warn('unknown_word', path, written.slice(0, 120));
}

/** Makes a verb that warns about words that `convert` does not know, except words for "unknown". */
export function noticing<T>(name: string, path: string, convert: (value: unknown) => T | undefined): Verb<unknown, T> {
  return verb(name, path, (value, context) => {
    const written = scalarOf(value);
    const meaning = convert(written);
    if (meaning === undefined && typeof written === 'string' && !saysNothing(written)) {
      context.warn('unknown_word', path, written.slice(0, 120));
    }
    return meaning;
  });
}

/**
 * Reads a number in the style of its feed. Zero means unknown; negative and ambiguous numbers and unreadable texts give
 * a warning.
 */
export function readSize(
  value: unknown,
  field: string,
  context: RecordContext,
  style?: NumberStyle,
): number | undefined {
  const written = scalarOf(value);
  return positive(noticedNumber(readNumber(written, styleOf(context, 'areas', style)), written, field, context, style));
}

/** Warns about negative numbers and text that is no number, except the format's value for "not given". */
export function noticedNumber(
  number: number | 'doubtful' | undefined,
  written: unknown,
  field: string,
  context: RecordContext,
  style?: NumberStyle,
): number | undefined {
  const isLost = typeof number === 'number' ? number < 0 && number !== style?.unknown : /\d/.test(String(written));
  if (isLost) context.warn('implausible_value', field, String(written).slice(0, 120));
  else if (number === undefined) noticeWord(written, field, context);
  return number === 'doubtful' ? undefined : number;
}

export function positive(value: number | undefined): number | undefined {
  return value !== undefined && value > 0 ? value : undefined;
}
