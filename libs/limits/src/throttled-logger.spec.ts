import { ThrottledLogger } from './throttled-logger';

describe('ThrottledLogger', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('writes the first event immediately, then one line per minute with the count, and no line without events', () => {
    const lines: number[] = [];
    const line = new ThrottledLogger((count) => lines.push(count));
    for (let times = 0; times < 4; times += 1) line.note();
    expect(lines).toEqual([1]);
    jest.advanceTimersByTime(59_999);
    expect(lines).toEqual([1]);
    jest.advanceTimersByTime(1);
    expect(lines).toEqual([1, 3]);
    jest.advanceTimersByTime(120_000);
    expect(lines).toEqual([1, 3]);
    line.note();
    expect(lines).toEqual([1, 3, 1]);
    expect(line.total).toBe(5);
  });
});
