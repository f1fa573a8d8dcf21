import type { Link, PeriodicAmount, Range, RentPeriod } from '@passerelle/domain';
import { listAttachments, type LinkSource } from './clean/attachments';
import { plainLine } from './clean/plain-text';
import { saysNothing, toFlag } from './clean/fold-word';
import type { RecordContext } from './contracts';
import type { FileLink } from './photo-series';
import { compilePath, listOf, scalarOf, textOf } from './values';
import type { Verb } from './verbs';
import type { WordTable } from './word-table';

function plainWords(texts: Iterable<unknown>): string[] | undefined {
  const words = new Set<string>();
  for (const text of texts) {
    const word = plainLine(textOf(text));
    if (word !== undefined) words.add(word);
  }
  return words.size === 0 ? undefined : [...words];
}

/** Joins several texts of the source into one line, such as "sud, ouest", without duplicates. */
export function inOneLine(texts: Iterable<unknown>): string | undefined {
  return plainWords(texts)?.join(', ');
}

/**
 * Reads the names of the fields whose value means yes: `{ '45': 'Digicode' }` gives "Digicode" when cell 45 means yes.
 */
export function namesOfYes(names: Readonly<Record<string, string>>): (record: unknown) => string[] {
  const places = Object.entries(names).map(([path, name]) => ({ read: compilePath(path), name }));
  return (record) => {
    const said: string[] = [];
    for (const { read, name } of places) {
      const value = read(record);
      if (value !== undefined && value !== '' && toFlag(scalarOf(value)) === true) said.push(name);
    }
    return said;
  };
}

/** The names of the fields whose value means yes, on one line, such as "Sud, Ouest". */
export function yesInWords(names: Readonly<Record<string, string>>): Verb<unknown, string> {
  const read = namesOfYes(names);
  return { verb: 'yesInWords', paths: Object.keys(names), read: (record) => inOneLine(read(record)) };
}

/** The texts of a list, or a single text, on one line. */
export function wordsIn(path: string): Verb<unknown, string> {
  const valueAt = compilePath(path);
  return { verb: 'wordsIn', paths: [path], read: (record) => inOneLine(listOf(valueAt(record))) };
}

/**
 * Reads the first field that contains words other than yes or no. A number is a code of an unpublished table: it gives
 * a warning and is skipped.
 */
export function inWords(...paths: readonly string[]): Verb<unknown, string> {
  const places = paths.map((path) => ({ path, read: compilePath(path) }));
  return {
    verb: 'inWords',
    paths,
    read(record, context) {
      for (const { path, read } of places) {
        const word = plainLine(textOf(read(record)));
        if (word === undefined) continue;
        if (/^[\d.,\s-]+$/.test(word)) {
          if (word !== '0') context.warn('unknown_word', path, word.slice(0, 120));
        } else if (!saysNothing(word) && toFlag(word) === undefined) return word;
      }
      return undefined;
    },
  };
}

export function features<R>(
  list: (record: R, context: RecordContext) => Iterable<unknown>,
  ...paths: readonly string[]
): Verb<R, string[]> {
  return { verb: 'features', paths, read: (record, context) => plainWords(list(record, context)) };
}

/** Floor plans or public documents, as links and files, without duplicates. `listAttachments` decides which are kept. */
export function links<R>(
  list: (record: R, context: RecordContext) => Iterable<LinkSource>,
  ...paths: readonly string[]
): Verb<R, (Link | FileLink)[]> {
  const field = paths[0] ?? '';
  return {
    verb: 'links',
    paths,
    read(record, context) {
      const found = listAttachments(list(record, context), field, (code, at, value) => {
        context.warn(code, at, value);
      });
      return found.length === 0 ? undefined : found;
    },
  };
}

/** A range; one limit is enough. If the minimum is above the maximum, both count as unknown, with a warning. */
export function range<R>(least: Verb<R, number>, most: Verb<R, number>): Verb<R, Range> {
  const paths = [...least.paths, ...most.paths];
  return {
    verb: 'range',
    paths,
    read(record, context) {
      const min = least.read(record, context);
      const max = most.read(record, context);
      if (min === undefined && max === undefined) return undefined;
      if (min !== undefined && max !== undefined && min > max) {
        context.warn('implausible_value', paths[0] ?? '', `${min} to ${max}`);
        return undefined;
      }
      return { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
    },
  };
}

/**
 * An amount with its period: `period` is a fixed word, or `v.unit` if the record names it. With an unknown word the
 * amount is left out.
 */
export function periodic<R>(
  amount: Verb<R, number>,
  period?: RentPeriod | Verb<R, RentPeriod>,
): Verb<R, PeriodicAmount> {
  const periodPaths = typeof period === 'object' ? period.paths : [];
  const words = periodPaths.map(compilePath);
  return {
    verb: 'periodic',
    paths: [...amount.paths, ...periodPaths],
    read(record, context) {
      const montant = amount.read(record, context);
      if (montant === undefined) return undefined;
      const periode = typeof period === 'object' ? period.read(record, context) : period;
      if (periode !== undefined) return { montant, periode };
      return words.some((word) => textOf(word(record)) !== undefined) ? undefined : { montant };
    },
  };
}

/** Looks up each word of a list. A word that is not in the table is left out, with a warning that quotes it. */
export function lookedUp(
  table: WordTable<string>,
  path: string,
): (record: unknown, context: RecordContext) => string[] {
  const valueAt = compilePath(path);
  return (record, context) =>
    listOf(valueAt(record)).flatMap((value) => {
      const word = textOf(value);
      if (word === undefined) return [];
      const meaning = table.find(word);
      if (meaning === undefined && word !== '0' && (!saysNothing(word) || /[1-9]/.test(word)))
        context.warn('unknown_word', path, word.slice(0, 120));
      return meaning ?? [];
    });
}

/** Looks up the words of several lists, and joins the results on one line. */
export function lookedUpInOneLine(table: WordTable<string>, ...paths: readonly string[]): Verb<unknown, string> {
  const reads = paths.map((path) => lookedUp(table, path));
  return {
    verb: 'lookedUpInOneLine',
    paths,
    read: (record, context) => inOneLine(reads.flatMap((read) => read(record, context))),
  };
}
