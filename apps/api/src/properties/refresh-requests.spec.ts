import pino from 'pino';
import { Outage } from '../metrics/outage';
import { RefreshRequests } from './refresh-requests';

function setUp() {
  let nowMs = 1;
  const request = jest.fn().mockResolvedValue(1);
  const logger = pino({ level: 'silent' });
  const refresh = new RefreshRequests(
    { requestForReader: request },
    { nowMs: () => nowMs, monotonicMs: () => nowMs },
    logger,
    new Outage(logger),
  );
  return { request, refresh, wait: (ms: number) => (nowMs += ms) };
}

describe('RefreshRequests', () => {
  it('asks for a run of a gateway at most every ten seconds', () => {
    const { request, refresh, wait } = setUp();
    refresh.ask(1, 'stale-read');
    wait(10_000);
    refresh.ask(1, 'stale-read');
    refresh.ask(2, 'first-read');
    wait(1);
    refresh.ask(1, 'stale-read');

    expect(request.mock.calls).toEqual([
      [1, 'stale-read'],
      [2, 'first-read'],
      [1, 'stale-read'],
    ]);
  });

  it('asks again at once after it could not ask', async () => {
    const { request, refresh } = setUp();
    request.mockRejectedValueOnce(new Error('no database'));
    refresh.ask(1, 'stale-read');
    await new Promise(setImmediate);
    refresh.ask(1, 'stale-read');

    expect(request).toHaveBeenCalledTimes(2);
  });
});
