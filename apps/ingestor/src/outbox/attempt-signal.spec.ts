import { getEventListeners } from 'node:events';
import { attemptSignal } from './attempt-signal';

describe('attemptSignal', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('aborts when the process shuts down, also if the shutdown began before the attempt', () => {
    const shutdown = new AbortController();
    const { signal, end } = attemptSignal(shutdown.signal, 1_000);
    expect(signal.aborted).toBe(false);
    shutdown.abort();
    expect(signal.aborted).toBe(true);
    end();
    const late = attemptSignal(shutdown.signal, 1_000);
    expect(late.signal.aborted).toBe(true);
    late.end();
  });

  it('aborts after its time limit', () => {
    const { signal, end } = attemptSignal(new AbortController().signal, 1_000);
    jest.advanceTimersByTime(999);
    expect(signal.aborted).toBe(false);
    jest.advanceTimersByTime(1);
    expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
    end();
  });

  it('removes its timer, and its listener from the signal of the process', () => {
    const shutdown = new AbortController();
    for (let tries = 0; tries < 10; tries += 1) attemptSignal(shutdown.signal, 1_000).end();
    expect(getEventListeners(shutdown.signal, 'abort')).toEqual([]);
    expect(jest.getTimerCount()).toBe(0);
  });
});
