import { randomBytes } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Hop } from './redirects';
import { SourceConnections } from './source-connections';

/** A local source; each test sets its answer. */
let server: Server;
let url: URL;
let answer: RequestListener;
let connections: SourceConnections;

beforeAll(async () => {
  server = createServer((request, response) => {
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});

beforeEach(() => {
  connections = new SourceConnections();
});

afterEach(() => {
  connections.close();
  server.closeAllConnections();
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

/**
 * Requests the source and returns the body. Waits `pauseMs` before it reads the body, so that the connection can end
 * first.
 */
async function ask(request: Partial<Hop> = {}, pauseMs = 0): Promise<Buffer> {
  const hop: Hop = { url, method: 'GET', headers: {}, body: undefined, secretParameter: undefined, ...request };
  const response = await connections.request(hop, AbortSignal.timeout(10_000));
  await sleep(pauseMs);
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe('a source that closes its connections', () => {
  it.each([50_000, 65_536, 131_072, 400_000])('delivers its whole answer: %i bytes', async (bytes) => {
    const body = randomBytes(bytes);
    answer = (_request, response) => {
      response.writeHead(200, { 'content-length': bytes, connection: 'close' }).end(body);
    };
    expect((await ask({}, 50)).equals(body)).toBe(true);
  });

  it.each([50_000, 65_536, 131_072, 400_000])(
    'causes an error when it sends %i bytes and declares one more',
    async (bytes) => {
      answer = (_request, response) => {
        response.strictContentLength = false;
        response.writeHead(200, { 'content-length': bytes + 1, connection: 'close' }).end(Buffer.alloc(bytes));
      };
      await expect(ask({}, 50)).rejects.toThrow();
    },
  );

  it('is requested again when it has closed a kept-alive connection', async () => {
    const seen: string[] = [];
    const sockets = new WeakSet<Socket>();
    answer = ({ method = '', socket }, response) => {
      seen.push(method);
      if (sockets.has(socket)) socket.destroy();
      else response.end(`answer ${seen.length}`);
      sockets.add(socket);
    };
    expect(String(await ask())).toBe('answer 1');
    expect(String(await ask())).toBe('answer 3');
    // A POST is not sent again, because it may already have had an effect.
    await expect(ask({ method: 'POST', body: 'x' })).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(seen).toEqual(['GET', 'GET', 'GET', 'POST']);
  });
});

describe('a source with invalid or old HTTP', () => {
  it.each([
    ['another protocol', '220 ftp.example ready\r\n'],
    ['endless headers', `HTTP/1.1 200 OK\r\n${'X-Header: value\r\n'.repeat(5000)}`],
    ['two Content-Length headers', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    ['a negative Content-Length', 'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nab'],
    ['a chunk with an invalid length', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nab'],
    ['a switch to another protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nab'],
    ['an empty response', ''],
  ])('causes an immediate error: %s', async (_what, bytes) => {
    answer = ({ socket }) => {
      socket.end(bytes);
    };
    await expect(ask()).rejects.not.toMatchObject({ name: 'AbortError' });
  });

  it('delivers its whole answer when it uses HTTP/1.0', async () => {
    answer = ({ socket }) => {
      socket.end('HTTP/1.0 200 OK\r\n\r\nhello');
    };
    expect(String(await ask())).toBe('hello');
  });
});
