import { toIsoDate, toRevision } from '../../kit/clean/date';
import { scalarOf } from '../../kit/values';
import { computed, type Verb } from '../../kit/verbs';
import type { JsonRecord } from '../../formats/json-records';

/** A date as Microsoft programs write it: milliseconds since 1970, then the time zone of the server. */
const TICKS = /^\/Date\((-?\d{1,15})(?:[+-]\d{4})?\)\/$/;

/** Reads `2026-11-03 09:30:00` or `/Date(1793694600000+0100)/`. A date in year 1 means that there is no date. */
export function momentOf(value: unknown): string | undefined {
  const text = scalarOf(value);
  if (typeof text !== 'string') return undefined;
  const ticks = TICKS.exec(text.trim())?.[1];
  if (ticks === undefined) return toIsoDate(text);
  const moment = new Date(Number(ticks));
  return Number.isNaN(moment.getTime()) ? undefined : toIsoDate(moment.toISOString());
}

/** Converts a moment to a text that sorts by time. */
export function revisionOf(moment: string | undefined): string | undefined {
  return toRevision(moment);
}

/** A value with digits that is no date gives a warning. */
export function moment(name: string): Verb<JsonRecord, string> {
  return computed((record: JsonRecord, context) => {
    const found = momentOf(record[name]);
    const written = scalarOf(record[name]);
    if (found === undefined && typeof written === 'string' && /[1-9]/.test(written) && !isNoDate(written))
      context.warn('implausible_value', name, written.slice(0, 120));
    return found;
  }, name);
}

export function dayOf(name: string): Verb<JsonRecord, string> {
  const whole = moment(name);
  return { ...whole, read: (record, context) => whole.read(record, context)?.slice(0, 10) };
}

/** Whether this is the first date of a calendar, which means "no date". */
function isNoDate(written: string): boolean {
  return /^(?:0001|1753|1899|1900|1970)-01-01|^1899-12-30|^\/Date\(-/.test(written.trim());
}
