import type { Random } from '../../../tools/simulator/random';

/** How unreliably a CRM's webhooks are delivered. Each number is a share of the webhooks. */
export interface DeliveryFaults {
  lost: number;
  doubled: number;
  /** Arrive after later ones. */
  late: number;
}

/** The webhooks that arrive, in the order of their arrival. */
export function arriving<Call>(calls: readonly Call[], troubles: DeliveryFaults, random: Random): Call[] {
  const placed = calls.flatMap((call, index): { at: number; call: Call }[] => {
    if (random.chance(troubles.lost)) return [];
    const at = index + (random.chance(troubles.late) ? random.integer(1, calls.length) : 0);
    const again = random.chance(troubles.doubled) ? [{ at: at + random.integer(0, calls.length), call }] : [];
    return [{ at, call }, ...again];
  });
  return placed.sort((a, b) => a.at - b.at).map(({ call }) => call);
}
