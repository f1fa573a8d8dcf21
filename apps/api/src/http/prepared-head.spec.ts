import { createServer, IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http';
import { connect, Socket } from 'node:net';
import type * as Module from './prepared-head';
import { PreparedHead } from './prepared-head';

const HEADERS = ['content-type', 'text/plain; charset=utf-8', 'link', '</a?b=%C3%A9>; rel="next"', 'etag', 'W/"é"'];
const HEAD = new PreparedHead(HEADERS);
const BODY = 'Une maison';
const ownHeaders = (id = 'id-1'): string[] => ['x-request-id', id, 'content-length', String(BODY.length)];

/** What a server sends before it closes the connection, but for the time of day. */
async function answersTo(requests: string, listener: RequestListener): Promise<string> {
  const server = createServer({ requireHostHeader: false, keepAliveTimeout: 72_000 }, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const text = await textFrom(connect(portOf(server), '127.0.0.1'), requests);
    return text.replaceAll(/\r\nDate: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r\n/g, '\r\n(date)\r\n');
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function textFrom(socket: Socket, requests: string): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.write(requests);
  await new Promise((resolve, reject) => socket.once('close', resolve).once('error', reject));
  return Buffer.concat(chunks).toString('latin1');
}

const prepared: RequestListener = (_request, response) => {
  HEAD.write(response, ownHeaders());
  response.end(BODY, 'latin1');
};
const plain: RequestListener = (_request, response) => {
  response.writeHead(200, [...HEADERS, ...ownHeaders()]);
  response.end(BODY, 'latin1');
};

const CLOSE = 'GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

describe('a prepared head', () => {
  it.each([
    ['a connection that is kept', `GET / HTTP/1.1\r\nHost: a\r\n\r\n${CLOSE}`],
    ['a connection that is to be closed', CLOSE],
    ['HTTP/1.0', 'GET / HTTP/1.0\r\n\r\n'],
    ['HTTP/1.0 that keeps', `GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n${CLOSE}`],
    ['HEAD', `HEAD / HTTP/1.1\r\nHost: a\r\n\r\n${CLOSE}`],
    ['requests in a row', `${'GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(5)}${CLOSE}`],
    ['a client that waits for a go-ahead', `GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n${CLOSE}`],
  ])('sends the bytes that Node would send: %s', async (_what, requests) => {
    const answers = await answersTo(requests, prepared);
    expect(answers).toBe(await answersTo(requests, plain));
    expect(answers).toContain('HTTP/1.1 200 OK\r\ncontent-type: text/plain; charset=utf-8\r\nlink: ');
    expect(answers).toContain('\r\n(date)\r\n');
  });

  it('goes with what was set before', async () => {
    const ending =
      (listener: RequestListener): RequestListener =>
      (request, response) => {
        response.setHeader('connection', 'close');
        listener(request, response);
      };
    const request = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
    const answer = await answersTo(request, ending(prepared));
    expect(answer).toBe(await answersTo(request, ending(plain)));
    expect(answer).toContain('connection: close');
  });

  it.each([
    ['a name', ['x y', 'a']],
    ['a line in a value', ['x-a', 'a\r\nx-b: b']],
    ['a letter outside of latin1', ['x-a', '€']],
    ['a header about the connection', ['Connection', 'close']],
    ['the length of a body', ['content-length', '5']],
  ])('is not made of %s that may not be sent', (_what, headers) => {
    expect(() => new PreparedHead(headers)).toThrow();
  });

  it('does not take a line from what an answer adds', () => {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    expect(() => {
      HEAD.write(response, ownHeaders('id\r\nx-b: b'));
    }).toThrow('Invalid character in header content ["x-request-id"]');
  });

  it('is the plain one where Node does not join heads in that way', async () => {
    const write = jest.spyOn(ServerResponse.prototype, 'writeHead');
    await answersTo(CLOSE, prepared);
    expect(write).not.toHaveBeenCalled();
    Object.defineProperty(ServerResponse.prototype, '_storeHeader', { value: undefined, configurable: true });
    let head = HEAD;
    jest.isolateModules(() => {
      const later = jest.requireActual<typeof Module>('./prepared-head');
      head = new later.PreparedHead(HEADERS);
    });
    Reflect.deleteProperty(ServerResponse.prototype, '_storeHeader');
    const answer = await answersTo(CLOSE, (_request, response) => {
      head.write(response, ownHeaders());
      response.end(BODY, 'latin1');
    });
    expect(write).toHaveBeenCalledTimes(1);
    expect(answer).toBe(await answersTo(CLOSE, prepared));
    write.mockRestore();
  });
});
