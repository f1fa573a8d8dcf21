import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { PostFailed, type PostAnswer } from '@passerelle/connectors';
import { outboundPosts } from '../../../apps/ingestor/src/outbox/deliveries';

const MIB = 1024 ** 2;
/** A kernel accepts some megabytes before the program reads them. */
const AHEAD = 16 * MIB;
const HEAD = 'HTTP/1.1 200 OK\r\n';

/** How an endpoint handles a request after its first bytes. */
type Treatment = (socket: Socket, startedMs: number) => void;

const after = (ms: number, answer: string): Treatment => {
  return (socket, startedMs) => {
    const timer = setTimeout(() => socket.end(answer), startedMs + ms - performance.now());
    socket.once('close', () => {
      clearTimeout(timer);
    });
  };
};
const dripping = (first: string, drop: string): Treatment => {
  return (socket) => {
    socket.write(first);
    const timer = setInterval(() => socket.write(drop), 500);
    socket.once('close', () => {
      clearInterval(timer);
    });
  };
};
/** Writes as much as the client accepts, up to `bytes` bytes. */
const pouring = (first: string, chunk: Buffer, bytes = Infinity): Treatment => {
  return (socket) => {
    let left = bytes;
    const pour = (): void => {
      while (left > 0 && !socket.destroyed && socket.write(chunk)) left -= chunk.length;
    };
    socket.on('drain', pour);
    socket.write(first);
    pour();
  };
};

const X = Buffer.alloc(65_536, 'x');
const TREATMENTS = {
  'late but in time': after(12_500, `${HEAD}content-length: 2\r\n\r\nok`),
  'too late': after(15_500, `${HEAD}content-length: 2\r\n\r\nok`),
  never: () => undefined,
  'a head that drips': dripping(`${HEAD}x-drip: `, 'x'),
  'heads that drip, and tell of one to come': dripping('', 'HTTP/1.1 103 Early Hints\r\n\r\n'),
  'a body that drips': dripping(`${HEAD}\r\n`, 'x'),
  'a body of 1 GB': pouring(`${HEAD}content-length: ${1024 * MIB}\r\n\r\n`, X, 1024 * MIB),
  'a body without an end': pouring(`${HEAD}\r\n`, X),
  'a body that unpacks to 1 GB': pouring(`${HEAD}content-encoding: gzip\r\n\r\n`, X, 1024 * MIB),
  'a head without an end': pouring(HEAD, Buffer.from(`x-more: ${'x'.repeat(4_000)}\r\n`)),
  'no HTTP': (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'),
  'an end before the answer': (socket) => socket.destroy(),
} satisfies Record<string, Treatment>;
type Name = keyof typeof TREATMENTS;

interface Outcome {
  answer: PostAnswer | PostFailed;
  seconds: number;
  /** The number of bytes that the endpoint has sent. */
  bytes: number;
  isClosed: boolean;
}

// Real: sockets, and the 15 seconds that the product waits. The tests contact all endpoints at the same time, to take
// only 15 seconds.
describe('hostile endpoint', () => {
  const outcomes = {} as Record<Name, Outcome>;

  beforeAll(async () => {
    await Promise.all((Object.keys(TREATMENTS) as Name[]).map(async (name) => (outcomes[name] = await asked(name))));
  });

  it('accepts the message when it answers within fifteen seconds', () => {
    expect(outcomes['late but in time'].answer).toMatchObject({ status: 200, text: 'ok', retryAfterMs: null });
  });

  it.each<Name>(['too late', 'never', 'a head that drips', 'heads that drip, and tell of one to come'])(
    'is abandoned after fifteen seconds: %s',
    (name) => {
      const { answer, seconds, isClosed } = outcomes[name];
      expect(answer).toBeInstanceOf(PostFailed);
      expect(answer).toMatchObject({ message: 'no answer within 15 seconds' });
      expect(seconds).toBeGreaterThan(14.9);
      expect(isClosed).toBe(true);
    },
  );

  it.each<Name>(['a body that drips', 'a body of 1 GB', 'a body without an end', 'a body that unpacks to 1 GB'])(
    'accepts the message, although the sender does not read its answer to the end: %s',
    (name) => {
      const { answer, seconds, bytes, isClosed } = outcomes[name];
      expect(answer).toMatchObject({ status: 200, text: expect.stringMatching(/^x{1,300}$/) });
      expect(seconds).toBeLessThan(10);
      expect(bytes).toBeLessThan(AHEAD);
      expect(isClosed).toBe(true);
    },
  );

  it.each<[Name, string]>([
    ['a head without an end', 'no answer (HPE_HEADER_OVERFLOW)'],
    ['no HTTP', 'no answer (HPE_INVALID_CONSTANT)'],
    ['an end before the answer', 'no answer (ECONNRESET)'],
  ])('does not accept the message: %s', (name, message) => {
    const { answer, bytes, isClosed } = outcomes[name];
    expect(answer).toMatchObject({ name: 'PostFailed', message });
    expect([bytes < AHEAD, isClosed]).toEqual([true, true]);
  });
});

async function asked(name: Name): Promise<Outcome> {
  const treatment: Treatment = TREATMENTS[name];
  let socket: Socket | undefined;
  const startedMs = performance.now();
  const server = createServer((one) => {
    socket = one;
    one.on('error', () => undefined);
    one.once('data', () => {
      treatment(one, startedMs);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const posts = outboundPosts({ allowPrivateSources: new Set([host]) });
  const answer = await posts
    .post(`http://${host}/hook`, { 'content-length': '2' }, '{}', new AbortController().signal)
    .catch((error: unknown) => error as PostFailed);
  const seconds = (performance.now() - startedMs) / 1000;
  const isClosed = await closing(socket);
  posts.close();
  socket?.destroy();
  server.close();
  return { answer, seconds, bytes: socket?.bytesWritten ?? 0, isClosed };
}

/** Whether the client closes the connection within 2 seconds. */
async function closing(socket: Socket | undefined): Promise<boolean> {
  if (socket === undefined || socket.closed) return true;
  return await new Promise((resolve) => {
    const timer = setTimeout(resolve, 2_000, false);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
