const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAY_MS = 86_400_000;

/**
 * Reads a time as UTC, for sorting only, because the time zone and the seconds are unknown. 0 when it cannot be read.
 */
export function listingDateMs(text: string, nowMs: number): number {
  return unixDateMs(text, nowMs) ?? isoDateMs(text) ?? dosDateMs(text) ?? 0;
}

function unixDateMs(text: string, nowMs: number): number | undefined {
  const match = /^([a-z]{3})\s+(\d{1,2})\s+(?:(\d{4})|(\d{1,2}):(\d{2}))$/i.exec(text);
  const month = MONTHS.indexOf(match?.[1]?.toLowerCase() ?? '');
  if (match === null || month < 0) return undefined;
  const [day, hour, minute] = [Number(match[2]), Number(match[4] ?? 0), Number(match[5] ?? 0)];
  if (match[3] !== undefined) return Date.UTC(Number(match[3]), month, day);
  const thisYear = new Date(nowMs).getUTCFullYear();
  const time = Date.UTC(thisYear, month, day, hour, minute);
  // A local time differs from UTC by less than a day, so a date further in the future belongs to last year.
  return time > nowMs + DAY_MS ? Date.UTC(thisYear - 1, month, day, hour, minute) : time;
}

function isoDateMs(text: string): number | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})\s+(\d{2}):(\d{2})/.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = match.slice(1).map(Number);
  return Date.UTC(year, month - 1, day, hour, minute);
}

function dosDateMs(text: string): number | undefined {
  const match = /^(\d{2})-(\d{2})-(\d{2}|\d{4})\s+(\d{1,2}):(\d{2})\s*([AP]M)?$/i.exec(text);
  if (match === null) return undefined;
  const [month = 0, day = 0, year = 0, hour = 0, minute = 0] = match.slice(1, 6).map(Number);
  const half = match[6]?.toUpperCase();
  const hour24 = half === undefined ? hour : (hour % 12) + (half === 'PM' ? 12 : 0);
  return Date.UTC(year < 100 ? 2000 + year : year, month - 1, day, hour24, minute);
}
