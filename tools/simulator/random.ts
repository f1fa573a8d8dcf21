/** Pseudo-random choices: the same for the same seed, on every machine. */
export interface Random {
  /** From 0 to below 1. */
  next(): number;
  /** Both ends included. */
  integer(min: number, max: number): number;
  /** A multiple of `step`. */
  rounded(min: number, max: number, step: number): number;
  pick<T>(choices: readonly T[]): T;
  /** Picks by weight. */
  weighted<T extends string>(weights: Readonly<Partial<Record<T, number>>>): T;
  chance(probability: number): boolean;
}

/** Mulberry32: small, fast, and good enough for invented listings. */
export function createRandom(seed: number, stream: string): Random {
  let state = seed ^ hashOf(stream);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    integer,
    rounded: (min, max, step) => integer(Math.ceil(min / step), Math.floor(max / step)) * step,
    pick: (choices) => choices[integer(0, choices.length - 1)]!,
    chance: (probability) => next() < probability,
    weighted<T extends string>(weights: Readonly<Partial<Record<T, number>>>): T {
      const entries = Object.entries<number | undefined>(weights);
      let rest = next() * entries.reduce((sum, [, weight]) => sum + (weight ?? 0), 0);
      for (const [choice, weight] of entries) {
        rest -= weight ?? 0;
        if (rest < 0) return choice as T;
      }
      return entries.at(-1)![0] as T;
    },
  };
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash;
}
