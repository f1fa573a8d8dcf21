const BYTE_UNITS = ['B', 'KB', 'MB', 'GB'] as const;

/** `812 B`, `3.4 KB`, `12 MB`. */
export function bytes(count: number): string {
  let amount = count;
  let unit = 0;
  while (amount >= 1000 && unit < BYTE_UNITS.length - 1) {
    amount /= 1000;
    unit += 1;
  }
  return `${amount < 10 && unit > 0 ? amount.toFixed(1) : String(Math.round(amount))} ${BYTE_UNITS[unit]!}`;
}

/** `1 listing`, `4 listings`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

const TIME_UNITS: readonly (readonly [name: string, seconds: number])[] = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
];

/** `3 min ago`, `in 2 h`, `now`; null for no time. */
export function relative(time: string | null, now: Date): string | null {
  if (time === null) return null;
  const seconds = Math.round((new Date(time).getTime() - now.getTime()) / 1000);
  if (Math.abs(seconds) < 1) return 'now';
  return seconds < 0 ? `${span(-seconds)} ago` : `in ${span(seconds)}`;
}

/** A length of time in its largest unit: `45 s`, `3 min`, `2 h`, `9 d`. */
export function span(seconds: number): string {
  // A minute and a half is clearer in seconds, and an hour and a half in minutes.
  const [name, size] = TIME_UNITS.find(([, unit]) => seconds >= 2 * unit) ?? TIME_UNITS[TIME_UNITS.length - 1]!;
  return `${Math.round(seconds / size)} ${name}`;
}

/** `2025-11-21 09:30:00` on this machine's clock, and how long ago that is. */
export function localAndRelative(time: string | null, now: Date): string | null {
  if (time === null) return null;
  // Swedish dates are written as in ISO 8601.
  const clock = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium' });
  return `${clock.format(new Date(time))} (${relative(time, now) ?? ''})`;
}

/** How long a run took, or has run so far; null before it starts. */
export function duration(startedAt: string | null, endedAt: string | null, now: Date): string | null {
  if (startedAt === null) return null;
  const ms = (endedAt === null ? now.getTime() : new Date(endedAt).getTime()) - new Date(startedAt).getTime();
  return ms < 2_000 ? `${Math.max(0, Math.round(ms))} ms` : span(Math.round(ms / 1000));
}
