import type { JsonRecord } from '../../formats/json-records';
import { plainLine } from '../../kit/clean/plain-text';
import { textOf } from '../../kit/values';
import { computed, type Verb } from '../../kit/verbs';

/** Reads a number of a record from `{"status": {"id": 1}}`, `{"status": 1}` or `{"statusId": 1}`. */
export function numberOf(record: JsonRecord, name: string): string | undefined {
  const value = record[name];
  const id = typeof value === 'object' && value !== null ? (value as JsonRecord)['id'] : value;
  return textOf(id) ?? textOf(record[`${name}Id`]);
}

/** The same as a verb. */
export function number(name: string): Verb<JsonRecord, string> {
  return computed((record: JsonRecord) => plainLine(numberOf(record, name)), `${name}.id`);
}
