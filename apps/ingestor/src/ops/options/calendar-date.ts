import { WrongUse } from '../failures';

/** A date that exists, as `YYYY-MM-DD`. @throws WrongUse naming the option. */
export function parseCalendarDate(option: string, text: string): string {
  if (/^[1-9]\d{3}-\d{2}-\d{2}$/.test(text)) {
    const date = new Date(`${text}T00:00:00Z`);
    // 30 February is read as a day in March.
    if (!Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)) return text;
  }
  throw new WrongUse(`${option} takes a date that exists, as YYYY-MM-DD, not "${text}"`);
}
