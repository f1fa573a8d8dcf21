import type { JsonRecord } from '../../formats/json-records';
import { plainLine } from '../../kit/clean/plain-text';
import { textOf } from '../../kit/values';
import { computed, type Verb } from '../../kit/verbs';

/** The API writes a dash for an empty value. */
export function said(record: JsonRecord, name: string): string | undefined {
  const text = plainLine(textOf(record[name]));
  return text === undefined || /^[-–—.]+$/.test(text) ? undefined : text;
}

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
