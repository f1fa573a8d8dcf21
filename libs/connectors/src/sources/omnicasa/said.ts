import type { JsonRecord } from '../../formats/json-records';
import { plainLine } from '../../kit/clean/plain-text';
import { textOf } from '../../kit/values';
import { computed, type Verb } from '../../kit/verbs';

/** A text of one line. The API writes a dash where there is none. */
export function said(record: JsonRecord, name: string): string | undefined {
  const text = plainLine(textOf(record[name]));
  return text === undefined || /^[-–—.]+$/.test(text) ? undefined : text;
}

/** The first of several members that says something, as a verb. */
export function firstSaid(...names: readonly string[]): Verb<JsonRecord, string> {
  return computed(
    (record: JsonRecord) => {
      for (const name of names) {
        const text = said(record, name);
        if (text !== undefined) return text;
      }
      return undefined;
    },
    ...names,
  );
}
