import type { Photo } from '@passerelle/domain';

import { toFloor, toInteger, toRooms, toYear } from './clean/count';
import { toIsoDate, toIsoDay } from './clean/date';
import { toEnergyClass } from './clean/energy-class';
import { saysNothing, toFlag } from './clean/flag';
import { type NumberStyle, toNumber } from './clean/number';
import { type PhotoSource, toPhotos } from './clean/photos';
import { plainLine, plainText } from './clean/plain-text';
import { toUrl } from './clean/url';
import type { RecordContext } from './contracts';
import { compilePath } from './path';
import { readPrice } from './price';
import { scalarOf, textOf } from './scalar';
import type { WordTable } from './word-table';

/** One answer to "where does this field of a listing come from?". */
export interface Verb<R, T> {
  readonly verb: string;
  /** The places of the record that it reads, for people and for checks. */
  readonly paths: readonly string[];
  readonly read: (record: R, context: RecordContext) => T | undefined;
}

/** One line of plain text: titles, names, references. */
export function text(path: string): Verb<unknown, string> {
  return verb('text', path, (value) => plainLine(textOf(value)));
}

/** Plain text of several lines: descriptions. */
export function prose(path: string): Verb<unknown, string> {
  return verb('prose', path, (value) => plainText(textOf(value)));
}

/** An http(s) address. */
export function url(path: string): Verb<unknown, string> {
  return verb('url', path, (value) => toUrl(textOf(value)));
}

/** A whole number that counts something: zero means unknown. */
export function integer(path: string): Verb<unknown, number> {
  return verb('integer', path, (value) => positive(toInteger(scalarOf(value))));
}

/** A floor: zero is the ground, below it are basements; `RDC` and `3e étage` are read too, other words are noticed. */
export function floor(path: string): Verb<unknown, number> {
  return noticing('floor', path, toFloor);
}

/** A number of rooms: may be half, may be written `T3`. */
export function rooms(path: string): Verb<unknown, number> {
  return verb('rooms', path, (value) => toRooms(scalarOf(value)));
}

/** A year of our era. */
export function year(path: string): Verb<unknown, number> {
  return verb('year', path, (value) => toYear(scalarOf(value)));
}

/** A measure: zero means unknown. */
export function decimal(path: string, style?: NumberStyle): Verb<unknown, number> {
  return verb('decimal', path, (value) => positive(toNumber(scalarOf(value), style)));
}

/** An amount: zero, nothing and words such as "x" mean that there is none to show; doubtful ones are noticed. */
export function money(path: string, style?: NumberStyle): Verb<unknown, number> {
  return verb('money', path, (value, context) => readPrice(value, path, context, style));
}

/** ISO 8601, with its time where the feed gives one. */
export function date(path: string): Verb<unknown, string> {
  return verb('date', path, (value) => toIsoDate(scalarOf(value)));
}

/** ISO 8601, the day only. */
export function day(path: string): Verb<unknown, string> {
  return verb('day', path, (value) => toIsoDay(scalarOf(value)));
}

/** A yes or a no; a word that is neither is noticed. */
export function flag(path: string): Verb<unknown, boolean> {
  return noticing('flag', path, toFlag);
}

/** An energy class, `VI` or `NS`; a word that is none is noticed. */
export function energyClass(path: string): Verb<unknown, string> {
  return noticing('energyClass', path, toEnergyClass);
}

/** Yes when one of the counts, areas or flags says so; a zero says nothing. */
export function anyOf(...paths: readonly string[]): Verb<unknown, true> {
  const reads = paths.map(compilePath);
  return {
    verb: 'anyOf',
    paths,
    read: (record) => (reads.some((read) => toFlag(scalarOf(read(record))) === true) ? true : undefined),
  };
}

/**
 * A word of the feed, looked up. A word that is not in the table counts as a warning that carries it, and becomes
 * `unknown` where one is given.
 */
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
      const word = textOf(read(record));
      if (word === undefined) return undefined;
      const meaning = table.find(word);
      if (meaning !== undefined) return meaning;
      context.warn('unknown_word', path, word.slice(0, 120));
      return unknown;
    },
  };
}

/** Photos as the function lists them, in order; see `toPhotos` for what is kept. */
export function photos<R>(
  path: string,
  list: (record: R, context: RecordContext) => Iterable<PhotoSource>,
): Verb<R, Photo[]> {
  return {
    verb: 'photos',
    paths: [path],
    read: (record, context) =>
      toPhotos(list(record, context), path, (code, field, value) => {
        context.warn(code, field, value);
      }),
  };
}

/** The first of several answers that says something. */
export function first<R, T>(...verbs: readonly Verb<R, T>[]): Verb<R, T> {
  return {
    verb: 'first',
    paths: verbs.flatMap((one) => one.paths),
    read(record, context) {
      for (const one of verbs) {
        const value = one.read(record, context);
        if (value !== undefined) return value;
      }
      return undefined;
    },
  };
}

/** The source does not say it. The reason is for the reader of the mapping. */
export function absent(reason: string): Verb<unknown, never> {
  return { verb: `absent: ${reason}`, paths: [], read: () => undefined };
}

/** The honest escape: a function. */
export function computed<R, T>(read: (record: R, context: RecordContext) => T | undefined): Verb<R, T> {
  return { verb: 'computed', paths: [], read };
}

/** Several fields that one function answers together; `part` picks one of them. */
export interface Together<R, V extends object> {
  part<K extends keyof V>(key: K): Verb<R, NonNullable<V[K]>>;
}

/**
 * For fields that depend on one another, such as the kind of offer and its prices: the function runs once per record,
 * however many fields ask for its answer.
 */
export function together<R, V extends object>(read: (record: R, context: RecordContext) => V): Together<R, V> {
  let lastRecord: R | undefined;
  let lastContext: RecordContext | undefined;
  let lastAnswer: V | undefined;
  return {
    part: (key) => ({
      verb: 'together',
      paths: [],
      read(record, context) {
        if (lastAnswer === undefined || record !== lastRecord || context !== lastContext) {
          // Forgotten first: should the function throw, the next record must not get this one's answer.
          lastAnswer = undefined;
          lastAnswer = read(record, context);
          lastRecord = record;
          lastContext = context;
        }
        return lastAnswer[key] ?? undefined;
      },
    }),
  };
}

/** Words that `convert` does not know are noticed, but for those that say that nothing is known. */
function noticing<T>(name: string, path: string, convert: (value: unknown) => T | undefined): Verb<unknown, T> {
  return verb(name, path, (value, context) => {
    const written = scalarOf(value);
    const meaning = convert(written);
    if (meaning === undefined && typeof written === 'string' && !saysNothing(written)) {
      context.warn('unknown_word', path, written.slice(0, 120));
    }
    return meaning;
  });
}

function verb<T>(
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

function positive(value: number | undefined): number | undefined {
  return value !== undefined && value > 0 ? value : undefined;
}
