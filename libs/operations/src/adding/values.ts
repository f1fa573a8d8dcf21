import { MAX_SLUG_LENGTH, SLUG_PATTERN } from '@passerelle/domain';

/** An invalid value. The message begins with the command-line option, and contains no secret. */
export class BadValue extends Error {
  override readonly name = 'BadValue';
  /** The option without its dashes, which is the name of the form's field. */
  readonly field: string;

  /** @param option for example `--source`. @param problem the rest of the sentence */
  constructor(
    option: string,
    readonly problem: string,
  ) {
    super(`${option} ${problem}`);
    this.field = option.replace(/^--/, '');
  }
}

/** All invalid values of a form. The field and the problem are those of the first one. */
export class BadValues extends BadValue {
  constructor(readonly values: readonly [BadValue, ...BadValue[]]) {
    super(values[0].field, values[0].problem);
    this.message = values.map(({ message }) => message).join('; ');
  }
}

/** Runs every check, so that one answer names all invalid values. @throws BadValues */
export function collectBadValues<Results extends readonly unknown[]>(
  ...checks: { [At in keyof Results]: () => Results[At] }
): Results {
  const bad: BadValue[] = [];
  const results = checks.map((check: () => unknown) => {
    try {
      return check();
    } catch (error) {
      if (!(error instanceof BadValue)) throw error;
      bad.push(...(error instanceof BadValues ? error.values : [error]));
      return undefined;
    }
  });
  const [first, ...more] = bad;
  if (first !== undefined) throw new BadValues([first, ...more]);
  return results as unknown as Results;
}

/** @throws BadValue */
export function assertSlug(option: string, text: string): void {
  if (SLUG_PATTERN.test(text) && text.length <= MAX_SLUG_LENGTH) return;
  const shown = text.slice(0, 2 * MAX_SLUG_LENGTH);
  throw new BadValue(option, `takes at most ${MAX_SLUG_LENGTH} letters, digits, "-" and "_", not "${shown}"`);
}

const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;
export const DURATION = /^(\d{1,9})([smhd])$/;
/** Ten years: a longer duration is probably a typing error. */
const LONGEST_SECONDS = 3_650 * 86_400;

/** Parses a duration such as `90s`, `50m`, `12h` or `7d` into seconds. @throws BadValue */
export function parseDuration(option: string, text: string, shortestSeconds = 1): number {
  const match = DURATION.exec(text);
  const seconds = match === null ? NaN : Number(match[1]) * SECONDS[match[2] as keyof typeof SECONDS];
  if (seconds >= shortestSeconds && seconds <= LONGEST_SECONDS) return seconds;
  throw new BadValue(
    option,
    `takes a duration such as 90s, 50m, 12h or 7d, from ${shortestSeconds}s to 3650d, not "${text}"`,
  );
}

/** Parses a date, `YYYY-MM-DD`, that exists in the calendar. @throws BadValue */
export function parseCalendarDate(option: string, text: string): string {
  if (/^[1-9]\d{3}-\d{2}-\d{2}$/.test(text)) {
    const date = new Date(`${text}T00:00:00Z`);
    // `Date` reads 30 February as a day in March.
    if (!Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)) return text;
  }
  throw new BadValue(option, `takes a date that exists, as YYYY-MM-DD, not "${text}"`);
}
