import { wordTable, type WordTable } from '../../kit/word-table';

const SEPARATORS = /[\s_/.-]+/g;

/**
 * A table of lookup values of the Data Dictionary. Servers send the same value as `ResidentialLease` and as
 * `Residential Lease`: blanks, hyphens and points do not count.
 */
export function enumTable<T extends string | number | boolean | object>(
  words: Readonly<Record<string, T>>,
): WordTable<T> {
  const table = wordTable(
    Object.fromEntries(Object.entries(words).map(([word, meaning]) => [squeezed(word), meaning])),
  );
  return { find: (word) => table.find(squeezed(word)) };
}

/** A lookup value in one spelling, for comparing. */
export function squeezed(word: string): string {
  return word.replace(SEPARATORS, '').toLowerCase();
}

/** The values of a field that may hold several: a list, or one text with commas. */
export function valuesOf(value: unknown): string[] {
  if (typeof value === 'string') return value.split(',').map(squeezed);
  return Array.isArray(value) ? value.flatMap(valuesOf) : [];
}
