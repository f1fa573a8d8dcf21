/** Random choices that are the same for the same seed. */
export interface Choices {
  /** Both ends included. */
  integer: (min: number, max: number) => number;
  pick: <T>(from: readonly T[]) => T;
  chance: (probability: number) => boolean;
}

/** Mulberry32. */
export function choicesOf(seed: number): Choices {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return { integer, pick: (from) => from[integer(0, from.length - 1)]!, chance: (probability) => next() < probability };
}
