import { PollingLoop } from './polling-loop';

const PAUSE_MS = 1_000;

describe('PollingLoop', () => {
  let begun: number;
  let failures: unknown[];
  let end: (error?: Error) => void;
  let ticks: PollingLoop;

  beforeEach(() => {
    jest.useFakeTimers();
    begun = 0;
    failures = [];
    const tick = (): Promise<number> =>
      new Promise((resolve, reject) => {
        begun += 1;
        end = (error) => {
          if (error === undefined) resolve(PAUSE_MS);
          else reject(error);
        };
      });
    ticks = new PollingLoop(tick, (error) => {
      failures.push(error);
      return PAUSE_MS;
    });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const pass = (ms = 0): Promise<void> => jest.advanceTimersByTimeAsync(ms);

  it('runs its task on request, and again after its pause', async () => {
    ticks.soon();
    await pass();
    end();
    await pass(PAUSE_MS - 1);
    expect(begun).toBe(1);
    await pass(1);
    expect(begun).toBe(2);
  });

  it('runs once more after the current pass, however many requests come during this pass', async () => {
    ticks.soon();
    await pass();
    for (let n = 0; n < 5; n += 1) {
      ticks.soon();
      await pass();
    }
    expect(begun).toBe(1);
    end();
    await pass();
    expect(begun).toBe(2);
    end();
    await pass(PAUSE_MS - 1);
    expect(begun).toBe(2);
  });

  it('pauses after a failure, even if requests come', async () => {
    ticks.soon();
    await pass();
    ticks.soon();
    const failure = new Error('away');
    end(failure);
    await pass();
    ticks.soon();
    await pass(PAUSE_MS - 1);
    expect([begun, failures]).toEqual([1, [failure]]);
    await pass(1);
    expect(begun).toBe(2);
  });

  it('stops when the current pass ends', async () => {
    ticks.soon();
    await pass();
    let isOver = false;
    void ticks.stop().then(() => (isOver = true));
    await pass(PAUSE_MS);
    expect(isOver).toBe(false);
    end();
    await pass(PAUSE_MS);
    ticks.soon();
    await pass(PAUSE_MS);
    expect([isOver, begun]).toEqual([true, 1]);
  });
});
