import { QueueReadOnly } from '@passerelle/queue';
import pino from 'pino';
import { IngestQueue } from './ingest-queue';

const unasked = (): never => {
  throw new Error('this was not to be asked');
};

describe('IngestQueue.state', () => {
  let answer: (count: number) => void;
  const getWaitingCount = jest.fn(() => new Promise<number>((resolve) => (answer = resolve)));
  const assertTakesWrites = jest.fn(() => Promise.resolve());
  const list = jest.fn((): Promise<string[]> => Promise.resolve([]));
  let queue: IngestQueue;
  beforeEach(() => {
    jest.useFakeTimers();
    getWaitingCount.mockClear();
    const jobs = { getWaitingCount, addBulk: unasked, getPrioritized: unasked, on: unasked };
    queue = new IngestQueue(jobs, pino({ level: 'silent' }), { assertTakesWrites }, { list });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('waits once for an unavailable store, and sends no further request until the store has answered', async () => {
    const first = queue.state();
    await jest.advanceTimersByTimeAsync(2_000);
    expect(await first).toBe('unavailable');

    const second = queue.state();
    await jest.advanceTimersByTimeAsync(0);
    expect(await second).toBe('unavailable');
    expect(getWaitingCount).toHaveBeenCalledTimes(1);

    answer(0);
    await jest.advanceTimersByTimeAsync(0);
    const third = queue.state();
    answer(0);
    expect(await third).toBe('ok');
    expect(getWaitingCount).toHaveBeenCalledTimes(2);
  });

  it('sends the request again after a while, because it may have been lost', async () => {
    const lost = queue.state();
    await jest.advanceTimersByTimeAsync(30_001);
    expect(await lost).toBe('unavailable');
    const again = queue.state();
    answer(0);
    expect(await again).toBe('ok');
  });

  it('reports a paused queue', async () => {
    list.mockResolvedValueOnce(['ingest']);
    const first = queue.state();
    answer(0);
    expect(await first).toBe('paused');
  });

  it('reports a store that answers but accepts no writes', async () => {
    assertTakesWrites.mockRejectedValueOnce(new QueueReadOnly('READONLY'));
    const first = queue.state();
    answer(0);
    expect(await first).toBe('read-only');
  });
});
