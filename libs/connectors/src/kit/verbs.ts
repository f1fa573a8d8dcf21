import { toIsoDate, toIsoDay } from './clean/date';
import { toEmail, toUrl } from './clean/links';
import {
  type AreaUnit,
  type NumberStyle,
  toFloor,
  toInteger,
  toNumber,
  toRooms,
  toYear,
  toSquareMetres,
} from './clean/number';
import { listPhotos, type PhotoSource } from './clean/photos';
import { plainLine, plainText } from './clean/plain-text';
import { toFlag } from './clean/fold-word';
import { type MappedListing, type RecordContext, RecordError } from './contracts';
import { readPrice } from './price';
import { compilePath, scalarOf, textOf } from './values';
import {
  type MappedField,
  noticed,
  noticedCount,
  noticedNumber,
  noticing,
  positive,
  readSize,
  type Verb,
  verb,
} from './verb';
import { lookUp, readCurrency, type WordTable } from './word-table';

export { builtTitle } from './built-title';
export { type MappedField, readSize, type Verb } from './verb';

/** A raw text, trimmed and not cleaned, for verbs that interpret it themselves. */
export function word(path: string): Verb<unknown, string> {
  return verb('word', path, textOf);
}

/** One line of plain text: titles, names, references. */
export function text(path: string): Verb<unknown, string> {
  return verb('text', path, (value) => plainLine(textOf(value)));
}

/**
 * A trimmed identifier. A record with two different identifiers is rejected, because it is two records without a border
 * between them.
 */
export function identifier(path: string): Verb<unknown, string> {
  return verb('identifier', path, (value) => {
    if (Array.isArray(value) && new Set(value.flatMap((one) => textOf(one) ?? [])).size > 1)
      throw new RecordError('malformed', 'the record has several identifiers: it is made of two', path);
    return textOf(value);
  });
}

/** Plain text of several lines: descriptions. */
export function prose(path: string): Verb<unknown, string> {
  return verb('prose', path, (value) => plainText(textOf(value)));
}

/** Several values on one line of plain text, such as a first and a last name. */
export function joined(...paths: readonly string[]): Verb<unknown, string> {
  const reads = paths.map(compilePath);
  return {
    verb: 'joined',
    paths,
    read: (record) => plainLine(reads.map((read) => textOf(read(record)) ?? '').join(' ')),
  };
}

export function setting(name: string): Verb<unknown, string> {
  return { verb: 'setting', paths: [], read: (_record, context) => plainLine(context.settings[name]) };
}

/** The first of several values that is an e-mail address. */
export function email(...paths: readonly string[]): Verb<unknown, string> {
  return firstOf((path) => verb('email', path, (value) => toEmail(textOf(value))), ...paths);
}

/** Applies a verb to the context of the feed instead of the record: `beside(text('agent.name'))`. */
export function beside<T>(answer: Verb<unknown, T>): Verb<unknown, T> {
  return { verb: 'beside', paths: [], read: (_record, context) => answer.read(context.feed, context) };
}

/** An http(s) address. */
export function url(path: string): Verb<unknown, string> {
  return verb('url', path, (value) => toUrl(textOf(value)));
}

/** A count. Zero means unknown; digits and words that are no count give a warning. */
export function integer(path: string): Verb<unknown, number> {
  return verb('integer', path, (value, context) => positive(noticedCount(toInteger, value, path, context)));
}

/** A floor. Zero is the ground floor, negative numbers are basements. Reads `RDC` and `3e étage`; other words give a warning. */
export function floor(path: string): Verb<unknown, number> {
  return noticing('floor', path, toFloor);
}

const WITHOUT_ROOMS = /^\s*studio/i;

/** A number of rooms. Reads halves, and `T3`; other digits and words give a warning. */
export function rooms(path: string): Verb<unknown, number> {
  return verb('rooms', path, (value, context) => {
    const written = scalarOf(value);
    const isStudio = typeof written === 'string' && WITHOUT_ROOMS.test(written);
    return isStudio ? toRooms(written) : noticedCount(toRooms, value, path, context);
  });
}

/** A year, from 1000 to 2200; other digits and words give a warning. */
export function year(path: string): Verb<unknown, number> {
  return verb('year', path, (value, context) => noticedCount(toYear, value, path, context));
}

/** A measure. Zero means unknown; text that is no number gives a warning. */
export function decimal(path: string, style?: NumberStyle): Verb<unknown, number> {
  return verb('decimal', path, (value, context) => {
    const written = scalarOf(value);
    return positive(noticedNumber(toNumber(written, style), written, path, context, style));
  });
}

/**
 * An area in m². `givenIn` is the unit of the source, or `unit(…)`. Zero means unknown; unreadable and ambiguous areas
 * give a warning.
 */
export function area<R>(
  path: string,
  givenIn: AreaUnit | Verb<R, AreaUnit> = 'm2',
  style?: NumberStyle,
): Verb<R, number> {
  const valueAt = compilePath(path);
  return {
    verb: 'area',
    paths: typeof givenIn === 'string' ? [path] : [path, ...givenIn.paths],
    read(record, context) {
      const size = readSize(valueAt(record), path, context, style);
      if (size === undefined) return undefined;
      const areaUnit = typeof givenIn === 'string' ? givenIn : givenIn.read(record, context);
      return areaUnit === undefined ? undefined : toSquareMetres(size, areaUnit);
    },
  };
}

/** An amount. Zero, empty values and words such as "x" give undefined; doubtful values give a warning. */
export function money(path: string, style?: NumberStyle): Verb<unknown, number> {
  return verb('money', path, (value, context) => readPrice(value, path, context, style));
}

/** A date in ISO 8601, with the time if the feed gives one. Digits that are no date give a warning. */
export function date(path: string): Verb<unknown, string> {
  return verb('date', path, (value, context) => noticed(toIsoDate, value, path, context));
}

/** A date in ISO 8601 without the time. Digits that are no date give a warning. */
export function day(path: string): Verb<unknown, string> {
  return verb('day', path, (value, context) => noticed(toIsoDay, value, path, context));
}

/** A year or a day, as texts: `2021`, `2021-01-01`. Other digits give a warning. */
export function yearOrDay(path: string): Verb<unknown, string> {
  const toYearOrDay = (value: unknown): string | undefined => toYear(value)?.toString() ?? toIsoDay(value);
  return verb('yearOrDay', path, (value, context) => noticed(toYearOrDay, value, path, context));
}

/** Yes or no. Other words give a warning. */
export function flag(path: string): Verb<unknown, boolean> {
  return noticing('flag', path, toFlag);
}

/** Yes when one of the counts, areas or flags means yes; otherwise unknown, because a zero does not mean no. */
export function anyOf(...paths: readonly string[]): Verb<unknown, true> {
  const reads = paths.map(compilePath);
  return {
    verb: 'anyOf',
    paths,
    read: (record) => (reads.some((read) => toFlag(scalarOf(read(record))) === true) ? true : undefined),
  };
}

/** Looks up a word of the feed. A word that is not in the table gives `unknown`, and a warning that quotes the word. */
export function oneOf<T extends string | number | boolean>(
  table: WordTable<T>,
  path: string,
  unknown?: T,
): Verb<unknown, T> {
  const read = compilePath(path);
  return {
    verb: 'oneOf',
    paths: [path],
    read(record, context) {
      const found = textOf(read(record));
      return found === undefined ? undefined : (lookUp(table, found, path, context) ?? unknown);
    },
  };
}

/**
 * A unit; `usual` when the record names none. An unknown word gives a warning, and the amount with this unit is left
 * out.
 */
export function unit<T extends string>(table: WordTable<T>, path: string, usual?: T): Verb<unknown, T> {
  const read = compilePath(path);
  return {
    verb: 'unit',
    paths: [path],
    read(record, context) {
      const found = textOf(read(record));
      return found === undefined ? usual : lookUp(table, found, path, context, 'implausible_value');
    },
  };
}

/** The currency of the record, else of the setting `devise`, else `usual`. Unknown words give a warning. */
export function currency(path: string, usual?: string): Verb<unknown, string> {
  const read = compilePath(path);
  return {
    verb: 'currency',
    paths: [path],
    read: (record, context) => readCurrency(textOf(read(record)), path, context, usual),
  };
}

/** The photos that the function lists, in order. `listPhotos` decides which are kept. */
export function photos<R>(
  path: string,
  list: (record: R, context: RecordContext) => Iterable<PhotoSource>,
): Verb<R, MappedListing['photos']> {
  return {
    verb: 'photos',
    paths: [path],
    read: (record, context) =>
      listPhotos(list(record, context), path, (code, field, value) => {
        context.warn(code, field, value);
      }),
  };
}

export function first<R, T>(...verbs: readonly Verb<R, T>[]): Verb<R, T> {
  const titleParts = verbs.find((one) => one.titleParts !== undefined)?.titleParts;
  return {
    verb: 'first',
    paths: verbs.flatMap((one) => one.paths),
    ...(titleParts !== undefined && { titleParts }),
    read(record, context) {
      for (const one of verbs) {
        const value = one.read(record, context);
        if (value !== undefined) return value;
      }
      return undefined;
    },
  };
}

/** Applies a verb to some records only: for an address that may be published, or the area of a plot. */
export function when<R, T>(isSo: (record: R, context: RecordContext) => boolean, answer: Verb<R, T>): Verb<R, T> {
  return {
    verb: 'when',
    paths: answer.paths,
    read: (record, context) => (isSo(record, context) ? answer.read(record, context) : undefined),
  };
}

export function unless<R, T>(isSo: (record: R, context: RecordContext) => boolean, answer: Verb<R, T>): Verb<R, T> {
  return when((record, context) => !isSo(record, context), answer);
}

/** One verb over several paths: `firstOf(rooms, 'nb_pieces', 'pieces')`. */
export function firstOf<T>(one: (path: string) => Verb<unknown, T>, ...paths: readonly string[]): Verb<unknown, T> {
  return first(...paths.map((path) => one(path)));
}

/**
 * Declares that the format lacks fields. Put it at the end of a mapping: the compiler then refuses a field that is both
 * mapped and absent.
 */
export function absent<F extends MappedField>(
  reason: string,
  ...fields: readonly F[]
): Readonly<Record<F, Verb<unknown, never>>> {
  const answer: Verb<unknown, never> = { verb: `${ABSENT}: ${reason}`, paths: [], read: () => undefined };
  return Object.fromEntries(fields.map((field) => [field, answer])) as Record<F, typeof answer>;
}

const ABSENT = 'absent';

export function isAbsent(answer: Verb<never, unknown>): boolean {
  return answer.verb.startsWith(ABSENT);
}

/** A function, for cases that no verb covers. `paths` are the paths that it reads, for the documentation. */
export function computed<R, T>(
  read: (record: R, context: RecordContext) => T | undefined,
  ...paths: readonly string[]
): Verb<R, T> {
  return { verb: 'computed', paths, read };
}
