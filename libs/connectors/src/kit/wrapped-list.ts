import { listOf } from './path';
import { textOf } from './scalar';

/**
 * The elements of a list that has an element of its own around it: `name` within `value`, as `photo` within `photos`. The
 * wrapping may be repeated, and where there is but one element an exporter may leave it out: a bare text counts as one.
 */
export function wrappedList(value: unknown, name: string): readonly unknown[] {
  return listOf(value).flatMap((wrapping) => {
    const bare = textOf(wrapping);
    const elements =
      typeof wrapping === 'object' && wrapping !== null ? (wrapping as Readonly<Record<string, unknown>>)[name] : [];
    return bare === undefined ? listOf(elements) : [bare, ...listOf(elements)];
  });
}
