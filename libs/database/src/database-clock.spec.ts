import { DatabaseClock } from './database-clock';

describe('DatabaseClock', () => {
  it('returns null until the first sample', () => {
    expect(new DatabaseClock().nowMs(5)).toBeNull();
  });

  it('uses the sample with the lowest round-trip time', () => {
    const clock = new DatabaseClock();
    // The database is 1,000 ms ahead; the responses take 50, 2 and 30 ms.
    clock.note(1_100, 150);
    clock.note(1_200, 202);
    clock.note(1_300, 330);
    expect(clock.nowMs(400)).toBe(1_398);
  });

  it('follows the database clock within two minutes after an operator sets that clock back', () => {
    const clock = new DatabaseClock();
    clock.note(1_000, 0);
    clock.note(30_500, 30_000);
    expect(clock.nowMs(30_000)).toBe(31_000);
    clock.note(70_500, 70_000);
    expect(clock.nowMs(70_000)).toBe(71_000);
    clock.note(130_500, 130_000);
    expect(clock.nowMs(130_000)).toBe(130_500);
  });

  it('returns null again when the last sample is older than two minutes', () => {
    const clock = new DatabaseClock();
    clock.note(1_000, 0);
    expect(clock.nowMs(60_001)).toBe(61_001);
    expect(clock.nowMs(180_001)).toBeNull();
  });
});
