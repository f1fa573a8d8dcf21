import type { JsonRecord } from '../../formats/json-records';
import { plainLine } from '../../kit/clean/plain-text';
import { inOneLine } from '../../kit/collections';
import type { RecordContext } from '../../kit/contracts';
import { compilePath, listOf, textOf } from '../../kit/values';
import { computed, type Verb } from '../../kit/verbs';

type LabelList = Readonly<Record<string, unknown>>;

/** The label lists that were read before the walk: labels by code. */
export type LabelLists = Readonly<
  Record<'categories' | 'amenities' | 'countries' | 'cantons' | 'cities' | 'quarters' | 'choices', LabelList>
>;
export type LabelListName = keyof LabelLists;

/** French first: the tables of this connector have the French words. */
const LANGUAGES = ['fr', 'en', 'de', 'it'];

export function isLabelList(value: unknown): value is LabelList {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The label of a code. The lists contain `{"fr": …}`, or for places `{"labels": {"fr": …}}`. */
export function labelOf(context: RecordContext, list: LabelListName, code: unknown): string | undefined {
  const id = textOf(code);
  const lists = context.feed['labels'] as LabelLists | undefined;
  return id === undefined ? undefined : writtenLabel(lists?.[list][id]);
}

export function writtenLabel(entry: unknown): string | undefined {
  if (!isLabelList(entry)) return plainLine(textOf(entry));
  const labels = isLabelList(entry['labels']) ? entry['labels'] : entry;
  for (const language of LANGUAGES) {
    const label = plainLine(textOf(labels[language]));
    if (label !== undefined) return label;
  }
  return undefined;
}

/** A code without a label gives a warning; 0 is no code. */
export function labelled(list: LabelListName, ...paths: readonly string[]): Verb<JsonRecord, string> {
  const places = paths.map((path) => ({ path, read: compilePath(path) }));
  return computed(
    (record: JsonRecord, context) => {
      for (const { path, read } of places) {
        const codes = read(record);
        const all = listOf(codes).flatMap((code) => wordOf(code, list, path, context) ?? []);
        if (all.length > 0) return inOneLine(all);
      }
      return undefined;
    },
    ...paths,
  );
}

/** The label of a code, for a table lookup. A code without a label gives a warning and no word. */
export function wordOf(code: unknown, list: LabelListName, path: string, context: RecordContext): string | undefined {
  const id = textOf(code);
  if (id === undefined || id === '0') return undefined;
  const label = labelOf(context, list, id);
  if (label === undefined) context.warn('unknown_word', path, id.slice(0, 120));
  return label;
}
