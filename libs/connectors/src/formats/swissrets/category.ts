import type { XmlRecord } from '../xml-records';
import { plainLine } from '../../kit/clean/plain-text';
import { foldWord } from '../../kit/clean/fold-word';
import type { RecordContext } from '../../kit/contracts';
import { compilePath, listOf, textOf } from '../../kit/values';
import { lookUp } from '../../kit/word-table';
import { CATEGORIES, type Category, UTILIZATIONS } from './lookups';

const categoriesAt = compilePath('categories.category');
const utilizationsAt = compilePath('utilizations.utilization');

/** The words of a list in order; the main word is first. */
function wordsOf(values: unknown): string[] {
  return listOf(values).flatMap((value) => plainLine(textOf(value) ?? '') ?? []);
}

/** The category that decides the type: the first one with a type other than `autre`, else the first. */
export function categoryWordOf(record: XmlRecord): string | undefined {
  const words = wordsOf(categoriesAt(record));
  const telling = words.find((word) => (CATEGORIES.find(word)?.code ?? 'autre') !== 'autre');
  return telling ?? words[0];
}

export function categoryOf(record: XmlRecord): Category | undefined {
  const word = categoryWordOf(record);
  if (word !== undefined) return CATEGORIES.find(word);
  const use = UTILIZATIONS.find(utilizationWordOf(record) ?? '');
  return use?.code === undefined ? undefined : use;
}

/** The use that decides the type, else the first. */
export function utilizationWordOf(record: XmlRecord): string | undefined {
  const words = wordsOf(utilizationsAt(record));
  return words.find((word) => UTILIZATIONS.find(word)?.code !== undefined) ?? words[0];
}

export function typeCodeOf(record: XmlRecord, context: RecordContext): Category['code'] | undefined {
  const words = wordsOf(categoriesAt(record));
  for (const word of words) lookUp(CATEGORIES, word, 'categories.category', context);
  for (const word of wordsOf(utilizationsAt(record))) lookUp(UTILIZATIONS, word, 'utilizations.utilization', context);
  return categoryOf(record)?.code ?? (words.length === 0 ? undefined : 'autre');
}

export function hasCategory(record: XmlRecord, category: string): boolean {
  return wordsOf(categoriesAt(record)).some((word) => foldWord(word) === foldWord(category));
}
