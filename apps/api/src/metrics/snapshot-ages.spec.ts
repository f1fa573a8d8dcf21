import { SnapshotAges } from './snapshot-ages';

describe('SnapshotAges', () => {
  let nowMs: number;
  let ages: SnapshotAges;
  beforeEach(() => {
    nowMs = 1_000;
    ages = new SnapshotAges({ nowMs: () => 0, monotonicMs: () => nowMs });
  });

  it('returns the age of the oldest served snapshot', () => {
    for (const ageMs of [50, 900, null, 100]) ages.see(ageMs);
    expect(ages.oldestMs()).toBe(900);
  });

  it('returns null when no snapshot was served', () => {
    ages.see(null);
    expect(ages.oldestMs()).toBeNull();
  });

  it('returns the same age to every scrape, and forgets the age one to two minutes later', () => {
    ages.see(900);
    expect([ages.oldestMs(), ages.oldestMs()]).toEqual([900, 900]);
    nowMs += 60_000;
    expect(ages.oldestMs()).toBe(900);
    ages.see(100);
    expect(ages.oldestMs()).toBe(900);
    nowMs += 60_000;
    expect(ages.oldestMs()).toBe(900);
    expect(ages.oldestMs()).toBe(100);
    nowMs += 60_000;
    expect(ages.oldestMs()).toBe(100);
    expect(ages.oldestMs()).toBeNull();
  });
});
