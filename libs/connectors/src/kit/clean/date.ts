/** YYYY-MM-DD or YYYY/MM/DD or YYYYMMDD, perhaps with a time and a zone. */
const YEAR_FIRST =
  /^(\d{4})([-/.]?)(\d{2})\2(\d{2})(?:[T\s]+(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;
/**
 * dd/MM/yyyy, dd.MM.yyyy or dd-MM-yyyy, perhaps with a time. The day is always first, because no supported feed writes
 * the month first.
 */
const DAY_FIRST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?:[T\s]+(\d{1,2})[:h](\d{2})(?::(\d{2}))?)?$/i;

/** Earlier years are no real dates: software writes an empty date as a day in 1899 or 1900. */
const EARLIEST_YEAR = 1950;
const LATEST_YEAR = 2200;

const DAY_LENGTH = '2024-07-19'.length;
const SECOND_LENGTH = '2024-07-19T03:51:00'.length;
/** The number of days that every month has. */
const DAYS_OF_ANY_MONTH = 28;

/** ISO 8601 with the feed's time and zone. Undefined for dates that do not exist or mean "none", such as 1899-12-30. */
export function toIsoDate(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  const yearFirst = YEAR_FIRST.exec(text);
  if (yearFirst !== null) {
    const [, year = '', , month = '', day = '', hour, minute = '', second = '00', fraction, zone] = yearFirst;
    return compose(year, month, day, hour, minute, second, fraction, zone);
  }
  const dayFirst = DAY_FIRST.exec(text);
  if (dayFirst === null) return undefined;
  const [, day = '', , month = '', year = '', hour, minute = '', second = '00'] = dayFirst;
  return compose(year, month.padStart(2, '0'), day.padStart(2, '0'), hour?.padStart(2, '0'), minute, second);
}

export function toIsoDay(value: unknown): string | undefined {
  return toIsoDate(value)?.slice(0, 10);
}

/** A date-time as a text that sorts by time, to find the newer of two records; a missing zone counts as UTC. */
export function toRevision(value: unknown): string | undefined {
  const iso = toIsoDate(value);
  if (iso === undefined) return undefined;
  if (iso.length === DAY_LENGTH) return `${iso}T00:00:00.000Z`;
  if (iso.length === SECOND_LENGTH) return `${iso}.000Z`;
  const hasZone = /(?:Z|[+-]\d{2}:\d{2})$/.test(iso);
  return new Date(hasZone ? iso : `${iso}Z`).toISOString();
}

function compose(
  year: string,
  month: string,
  day: string,
  hour?: string,
  minute = '00',
  second = '00',
  fraction?: string,
  zone?: string,
): string | undefined {
  const date = `${year}-${month}-${day}`;
  if (!isCalendarDay(Number(year), Number(month), Number(day)) || date === '1970-01-01') return undefined;
  if (hour === undefined) return date;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const milliseconds =
    fraction === undefined || Number(fraction) === 0 ? '' : `.${fraction.slice(0, 3).padEnd(3, '0')}`;
  return `${date}T${hour}:${minute}:${second}${milliseconds}${isoZone(zone)}`;
}

function isCalendarDay(year: number, month: number, day: number): boolean {
  if (year < EARLIEST_YEAR || year > LATEST_YEAR || month < 1 || month > 12 || day < 1) return false;
  return day <= DAYS_OF_ANY_MONTH || day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

function isoZone(zone = ''): string {
  if (zone === '' || zone.toUpperCase() === 'Z') return zone.toUpperCase();
  return `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`;
}
