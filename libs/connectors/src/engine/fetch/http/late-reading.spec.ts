import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { RetryLater } from '@passerelle/domain';
import { OutboundSession } from './outbound-session';

const IDLE_MS = 100;

// Real: HTTP. Slow: the fingerprint of the body, as on a busy machine.
jest.mock('../../fingerprint', () => {
  const real = jest.requireActual<typeof import('../../fingerprint')>('../../fingerprint');
  return {
    newFingerprint: async () => {
      await sleep(4 * IDLE_MS);
      return real.newFingerprint();
    },
  };
});

describe('an answer that is read only after its idle timeout', () => {
  let server: Server;
  let session: OutboundSession;

  beforeAll(async () => {
    server = createServer((_request, response) => {
      response.end('a whole feed');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const limits = { maxBytes: 1_000, timeoutMs: 10_000, idleTimeoutMs: IDLE_MS };
    const place = { allowPrivate: new Set([`127.0.0.1:${portOf(server)}`]), inboxDir: '/nowhere' };
    session = new OutboundSession({ ...limits, ...place }, new AbortController().signal, []);
  });
  afterAll(async () => {
    await session.close();
    await new Promise((resolve) => server.close(resolve));
  });

  it('fails with RetryLater instead of looking like an empty feed, although all its bytes have arrived', async () => {
    const asked = session.request({ url: `http://127.0.0.1:${portOf(server)}/feed` });
    await expect(asked).rejects.toThrow(RetryLater);
    await expect(asked).rejects.toThrow(/was silent for 100 ms/);
  });
});

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
