/**
 * Alternates between contenders, so that other work of the machine affects them equally. The first round is a warm-up
 * and does not count.
 * @returns the median of the values that each contender returned, by name.
 */
export async function alternating<Name extends string>(
  rounds: number,
  contenders: Readonly<Record<Name, () => Promise<number>>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(contenders) as Name[];
  const measured = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    // Alternate the order, because the first contender of a round finds another CPU cache than the second.
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const value = await contenders[name]();
      if (round > 0) measured.get(name)?.push(value);
    }
  }
  return Object.fromEntries(names.map((name) => [name, medianOf(measured.get(name) ?? [])])) as Record<Name, number>;
}

/** The duration of `work`, in ms. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
