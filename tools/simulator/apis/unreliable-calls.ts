import type { Random } from '../random';

/** How calls of a CRM fare on their way, each as a share of them. */
export interface CallTroubles {
  lost: number;
  doubled: number;
  /** Come after later ones. */
  late: number;
}

/** The calls that arrive of those that were made, in the order in which they arrive. */
export function arriving<Call>(calls: readonly Call[], troubles: CallTroubles, random: Random): Call[] {
  const placed = calls.flatMap((call, index): { at: number; call: Call }[] => {
    if (random.chance(troubles.lost)) return [];
    const at = index + (random.chance(troubles.late) ? random.integer(1, calls.length) : 0);
    const again = random.chance(troubles.doubled) ? [{ at: at + random.integer(0, calls.length), call }] : [];
    return [{ at, call }, ...again];
  });
  return placed.sort((a, b) => a.at - b.at).map(({ call }) => call);
}
