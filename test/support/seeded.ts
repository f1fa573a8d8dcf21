/** Random integers from 0 to `below` - 1, the same for the same seed in every run. */
export function seeded(seed: number): (below: number) => number {
  // Adjacent seeds must start with very different numbers.
  let state = Math.imul(seed, 2_654_435_761) >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
