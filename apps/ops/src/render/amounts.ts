const UNITS = ['B', 'KB', 'MB', 'GB'] as const;

/** `812 B`, `3.4 KB`, `12 MB`. */
export function bytes(count: number): string {
  let amount = count;
  let unit = 0;
  while (amount >= 1000 && unit < UNITS.length - 1) {
    amount /= 1000;
    unit += 1;
  }
  return `${amount < 10 && unit > 0 ? amount.toFixed(1) : String(Math.round(amount))} ${UNITS[unit]!}`;
}

/** `1 listing`, `4 listings`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
