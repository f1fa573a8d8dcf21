import { MinuteCounts } from './minute-counts';

function setUp(mostNames?: number) {
  let nowMs = 500;
  const counts = new MinuteCounts(() => nowMs, mostNames);
  return { counts, count: (name: string) => counts.add(name).count, wait: (ms: number) => (nowMs += ms) };
}

describe('MinuteCounts', () => {
  it('counts by name, and starts again with the next minute', () => {
    const { counts, count, wait } = setUp();
    expect([count('a'), count('a'), count('b')]).toEqual([1, 2, 1]);
    wait(45_000);
    expect(counts.add('a')).toEqual({ count: 3, resetSeconds: 15 });
    wait(15_000);
    expect(counts.add('a')).toEqual({ count: 1, resetSeconds: 60 });
  });

  it('counts known names separately and all other names together when the table is full', () => {
    const { count, counts } = setUp(2);
    expect([count('a'), count('b'), count('c'), count('d'), count('c'), count('a')]).toEqual([1, 1, 1, 2, 3, 2]);
    expect(counts.names).toBe(2);
  });

  it('subtracts a revoked event, and never goes below zero', () => {
    const { count, counts } = setUp(1);
    expect([count('a'), count('a')]).toEqual([1, 2]);
    counts.undo('a');
    expect(count('a')).toBe(2);
    counts.undo('b');
    expect(count('b')).toBe(1);
    counts.undo('b');
    expect(counts.add('c')).toEqual({ count: 1, resetSeconds: 60, isShared: true });
  });

  it('uses the given window', () => {
    let nowMs = 0;
    const counts = new MinuteCounts(() => nowMs, 10, 120_000);
    counts.add('a');
    nowMs = 119_000;
    expect(counts.add('a')).toEqual({ count: 2, resetSeconds: 1 });
    nowMs = 120_000;
    expect(counts.add('a')).toEqual({ count: 1, resetSeconds: 120 });
  });

  it('empties a full table in the next minute', () => {
    const { count, wait } = setUp(1);
    expect([count('a'), count('b'), count('c')]).toEqual([1, 1, 2]);
    wait(60_000);
    expect([count('c'), count('b'), count('a')]).toEqual([1, 1, 2]);
  });
});
