import { MinuteCounts } from './minute-counts';

function setUp(mostNames?: number) {
  let nowMs = 500;
  const counts = new MinuteCounts(() => nowMs, mostNames);
  return { counts, count: (name: string) => counts.add(name).count, wait: (ms: number) => (nowMs += ms) };
}

describe('counts of a minute', () => {
  it('are by name, and begin anew with the next minute', () => {
    const { counts, count, wait } = setUp();
    expect([count('a'), count('a'), count('b')]).toEqual([1, 2, 1]);
    wait(45_000);
    expect(counts.add('a')).toEqual({ count: 3, resetSeconds: 15 });
    wait(15_000);
    expect(counts.add('a')).toEqual({ count: 1, resetSeconds: 60 });
  });

  it('of a full table go on for those that are in it, and are one for all others', () => {
    const { count, counts } = setUp(2);
    expect([count('a'), count('b'), count('c'), count('d'), count('c'), count('a')]).toEqual([1, 1, 1, 2, 3, 2]);
    expect(counts.names).toBe(2);
  });

  it('of a full table are free again with the next minute', () => {
    const { count, wait } = setUp(1);
    expect([count('a'), count('b'), count('c')]).toEqual([1, 1, 2]);
    wait(60_000);
    expect([count('c'), count('b'), count('a')]).toEqual([1, 1, 2]);
  });
});
