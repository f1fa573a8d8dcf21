import { NO_TRACES } from '@passerelle/traces';
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
    NO_TRACES,
  );
  return { request, refresh, wait: (ms: number) => (nowMs += ms) };
}

const gateway = (id: number) => ({ id, crm: 'kyero', client: 'a' });

describe('RefreshRequests', () => {
  it('requests a run of a gateway at most every ten seconds', () => {
    const { request, refresh, wait } = setUp();
    refresh.ask(gateway(1), 'stale-read', 'request');
    wait(10_000);
    refresh.ask(gateway(1), 'stale-read', 'request');
    refresh.ask(gateway(2), 'first-read', 'request');
    wait(1);
    refresh.ask(gateway(1), 'stale-read', 'request');

    expect(request.mock.calls).toEqual([
      [1, 'stale-read', 'request'],
      [2, 'first-read', 'request'],
      [1, 'stale-read', 'request'],
    ]);
  });

  it('requests a run again immediately after a failed request', async () => {
    const { request, refresh } = setUp();
    request.mockRejectedValueOnce(new Error('no database'));
    refresh.ask(gateway(1), 'stale-read', 'request');
    await new Promise(setImmediate);
    refresh.ask(gateway(1), 'stale-read', 'request');

    expect(request).toHaveBeenCalledTimes(2);
  });
});
