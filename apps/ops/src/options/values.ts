import { DURATION, parseCalendarDate, parseDuration } from '@passerelle/operations';
import { UsageError } from '../errors';

/** @throws UsageError naming the option. */
export function parseWholeNumber(option: string, text: string, most = Number.MAX_SAFE_INTEGER): number {
  const number = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : NaN;
  if (number <= most && Number.isSafeInteger(number)) return number;
  const range = most === Number.MAX_SAFE_INTEGER ? 'a whole number from 1' : `a whole number from 1 to ${most}`;
  throw new UsageError(`${option} takes ${range}, not "${text}"`);
}

/** @throws UsageError naming the option and the allowed words. */
export function parseWord<Word extends string>(option: string, text: string, words: readonly Word[]): Word {
  const word = words.find((known) => known === text);
  if (word !== undefined) return word;
  throw new UsageError(`${option} takes ${words.join(', ')}, not "${text}"`);
}

const MOMENT = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)?$/;

/** Parses a duration from now, a day (its start in UTC), or a time (UTC by default). @throws UsageError */
export function parseUntil(option: string, text: string, now: Date): Date {
  const moment = DURATION.test(text)
    ? new Date(now.getTime() + parseDuration(option, text) * 1000)
    : momentOf(option, text);
  if (moment > now) return moment;
  throw new UsageError(`${option} takes a time in the future, and ${text} is over`);
}

function momentOf(option: string, text: string): Date {
  const [, day = text] = MOMENT.exec(text) ?? [];
  const moment = new Date(MOMENT.test(text) ? (/(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`) : NaN);
  if (/^\d{4}-/.test(text)) {
    const date = parseCalendarDate(option, day);
    if (day === text) return new Date(`${date}T00:00:00Z`);
    if (!Number.isNaN(moment.getTime())) return moment;
  }
  throw new UsageError(
    `${option} takes a duration such as 90m, 12h or 7d, a day as YYYY-MM-DD, or a time as YYYY-MM-DDTHH:MM in UTC, not "${text}"`,
  );
}

/** A moment in the past: a duration ago, or the beginning of a day in UTC. @throws UsageError naming the option. */
export function parseSince(option: string, text: string, now: Date): Date {
  if (DURATION.test(text)) return new Date(now.getTime() - parseDuration(option, text) * 1000);
  if (/^\d{4}-/.test(text)) return new Date(`${parseCalendarDate(option, text)}T00:00:00Z`);
  throw new UsageError(`${option} takes a duration such as 90m, 12h or 7d, or a date as YYYY-MM-DD, not "${text}"`);
}

/** Only characters that a header keeps unchanged, and too many to guess. Shorter existing keys still work. */
const KEY = /^[\x21-\x7e]{24,256}$/;

/** @throws UsageError, which does not repeat the key. */
export function parseApiKey(option: string, text: string): string {
  if (KEY.test(text)) return text;
  throw new UsageError(`${option} takes 24 to 256 printable ASCII characters without spaces`);
}

type KnownNames = Readonly<Record<string, string>>;

/** Values may contain `=`. @throws UsageError, which quotes no value, because values may be secret. */
export function parseNamedValues(option: string, texts: readonly string[], known: KnownNames): Record<string, string> {
  const values = new Map<string, string>();
  for (const text of texts) {
    const [name, value] = splitAtEquals(option, text);
    assertKnown(option, name, known);
    if (values.has(name)) throw new UsageError(`${option} ${name} is given twice`);
    if (value === '') throw new UsageError(`${option} ${name} has no value`);
    values.set(name, value);
  }
  return Object.fromEntries(values);
}

/** @throws UsageError */
function assertKnown(option: string, name: string, known: KnownNames): void {
  if (Object.hasOwn(known, name)) return;
  const names = Object.keys(known);
  const allowed = names.length === 0 ? 'this connector has none' : `allowed: ${names.join(', ')}`;
  throw new UsageError(`${option} does not know "${name}"; ${allowed}`);
}

function splitAtEquals(option: string, text: string): [name: string, value: string] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`${option} takes name=value`);
  return [text.slice(0, at), text.slice(at + 1)];
}
