import pino from 'pino';
import { IngestQueue } from './ingest-queue';

const unasked = (): never => {
  throw new Error('this was not to be asked');
};

describe('IngestQueue.isThere', () => {
  let answer: (count: number) => void;
  const getWaitingCount = jest.fn(() => new Promise<number>((resolve) => (answer = resolve)));
  let queue: IngestQueue;
  beforeEach(() => {
    jest.useFakeTimers();
    getWaitingCount.mockClear();
    const jobs = { getWaitingCount, addBulk: unasked, getPrioritized: unasked, on: unasked };
    queue = new IngestQueue(jobs, pino({ level: 'silent' }));
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('waits for a store that is away once, and asks it nothing more until it has answered', async () => {
    const first = queue.isThere();
    await jest.advanceTimersByTimeAsync(2_000);
    expect(await first).toBe(false);

    const second = queue.isThere();
    await jest.advanceTimersByTimeAsync(0);
    expect(await second).toBe(false);
    expect(getWaitingCount).toHaveBeenCalledTimes(1);

    answer(0);
    await jest.advanceTimersByTimeAsync(0);
    const third = queue.isThere();
    answer(0);
    expect(await third).toBe(true);
    expect(getWaitingCount).toHaveBeenCalledTimes(2);
  });

  it('asks again after a while: a question may have been lost', async () => {
    const lost = queue.isThere();
    await jest.advanceTimersByTimeAsync(30_001);
    expect(await lost).toBe(false);
    const again = queue.isThere();
    answer(0);
    expect(await again).toBe(true);
  });
});
