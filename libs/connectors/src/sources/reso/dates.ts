import type { JsonRecord } from '../../formats/json-records';
import { toIsoDate } from '../../kit/clean/date';
import { textOf } from '../../kit/scalar';
import * as v from '../../kit/verbs';

const YEAR_FIRST = /^\d{4}/;

/**
 * A date as the protocol writes it, year first. Elsewhere the day comes first, in the country of most servers the month:
 * `03/04/2024` is left out rather than turned round.
 */
export function toYearFirst(value: unknown): string | undefined {
  const text = textOf(value);
  return text !== undefined && YEAR_FIRST.test(text) ? toIsoDate(text) : undefined;
}

export function isoDate(field: string): v.Verb<JsonRecord, string> {
  return v.computed((record: JsonRecord) => toYearFirst(record[field]));
}

/** The same without the time. */
export function isoDay(field: string): v.Verb<JsonRecord, string> {
  return v.computed((record: JsonRecord) => toYearFirst(record[field])?.slice(0, 10));
}
