import { WrongUse } from '../failures';

const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;
const DURATION = /^(\d{1,9})([smhd])$/;
/** Ten years: a longer one is a slip of the finger. */
const LONGEST_SECONDS = 3_650 * 86_400;

/** Seconds of `90s`, `50m`, `12h`, `7d`. @throws WrongUse naming the option. */
export function parseDuration(option: string, text: string, shortestSeconds = 1): number {
  const match = DURATION.exec(text);
  const seconds = match === null ? NaN : Number(match[1]) * SECONDS[match[2] as keyof typeof SECONDS];
  if (seconds >= shortestSeconds && seconds <= LONGEST_SECONDS) return seconds;
  throw new WrongUse(
    `${option} takes a duration such as 90s, 50m, 12h or 7d, from ${shortestSeconds}s to 3650d, not "${text}"`,
  );
}
