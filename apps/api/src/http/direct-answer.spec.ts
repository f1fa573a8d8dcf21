import { createServer, type RequestListener, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import type * as Module from './direct-answer';
import { directConnection, endDirectAnswer } from './direct-answer';
import { KEEP_ALIVE_TIMEOUT_MS } from './keep-alive';
import { PreparedHead } from './prepared-head';

const HEADERS = ['content-type', 'text/plain; charset=utf-8', 'link', '</a?b=%C3%A9>; rel="next"', 'etag', 'W/"é"'];
const HEAD = new PreparedHead(HEADERS);
const BODY = 'Une maison';

/** What a server sends before it closes the connection, but for the time of day. */
async function answersTo(requests: string, listener: RequestListener): Promise<string> {
  const server = createServer({ requireHostHeader: false, keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS }, listener);
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

const throughNode: RequestListener = (_request, response) => {
  const own = ['x-request-id', 'id-1', 'content-length', String(BODY.length)];
  response.writeHead(200, [...HEADERS, ...own]);
  response.end(BODY, 'latin1');
};

/** Counts the answers that go past Node. */
function whereItMay({ directConnection: connectionOf, endDirectAnswer: end }: typeof Module) {
  const figures = { direct: 0 };
  const listener: RequestListener = (request, response) => {
    const socket = connectionOf(request, response);
    if (socket === null) {
      throughNode(request, response);
      return;
    }
    figures.direct += 1;
    socket.write(HEAD.text('id-1', BODY.length) + BODY, 'latin1');
    end(response, socket);
  };
  return { figures, listener };
}

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const CLOSE = 'GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

describe('an answer past ServerResponse', () => {
  it.each([
    ['a connection that is kept', `${GET}${CLOSE}`, 1],
    ['requests in a row', `${GET.repeat(50)}${CLOSE}`, 50],
    ['a client that waits for a go-ahead', `GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n${CLOSE}`, 1],
    ['a connection that is to be closed', CLOSE, 0],
    ['HTTP/1.0', 'GET / HTTP/1.0\r\n\r\n', 0],
    ['HTTP/1.0 that keeps', `GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n${CLOSE}`, 0],
    ['HEAD', `HEAD / HTTP/1.1\r\nHost: a\r\n\r\n${CLOSE}`, 0],
    ['a body that comes along', `GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc${CLOSE}`, 0],
    ['a body in chunks', `GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${CLOSE}`, 0],
  ])('has the bytes that Node would send: %s', async (_what, requests, direct) => {
    const { figures, listener } = whereItMay({ directConnection, endDirectAnswer });
    const answers = await answersTo(requests, listener);
    expect(answers).toBe(await answersTo(requests, throughNode));
    expect(answers).toContain('HTTP/1.1 200 OK\r\ncontent-type: text/plain; charset=utf-8\r\nlink: ');
    expect(answers).toContain('\r\n(date)\r\n');
    expect(figures.direct).toBe(direct);
  });

  it('waits behind one that Node is still sending', async () => {
    const { figures, listener } = whereItMay({ directConnection, endDirectAnswer });
    const late: RequestListener = (request, response) => {
      if (request.url === '/late') setTimeout(() => response.end('late'), 30);
      else listener(request, response);
    };
    const answers = await answersTo(`GET /late HTTP/1.1\r\nHost: a\r\n\r\n${GET}${CLOSE}`, late);
    expect(answers.indexOf('late')).toBeLessThan(answers.indexOf(BODY));
    expect(answers.split('HTTP/1.1 200 OK')).toHaveLength(4);
    expect(figures.direct).toBe(0);
  });

  it('goes through Node where somebody has set a header, or waits for its end', async () => {
    const { figures, listener } = whereItMay({ directConnection, endDirectAnswer });
    const ending: RequestListener = (request, response) => {
      response.setHeader('connection', 'close');
      listener(request, response);
    };
    expect(await answersTo(GET, ending)).toContain('connection: close');
    const finished = jest.fn();
    await answersTo(`${GET}${CLOSE}`, (request, response) => {
      response.once('finish', finished);
      listener(request, response);
    });
    expect(finished).toHaveBeenCalledTimes(2);
    expect(figures.direct).toBe(0);
  });

  it.each<[string, () => void]>([
    ['does not go on', () => undefined],
    [
      'fails',
      () => {
        throw new Error('an assertion of Node');
      },
    ],
  ])('ends its connection where Node %s, and is the last of its kind', async (_what, finish) => {
    let later: typeof Module = { directConnection, endDirectAnswer };
    jest.isolateModules(() => {
      later = jest.requireActual<typeof Module>('./direct-answer');
    });
    const { figures, listener } = whereItMay(later);
    const changed: RequestListener = (request, response) => {
      if (figures.direct === 0) response.removeAllListeners('finish').on('finish', finish);
      listener(request, response);
    };
    const answer = await answersTo(GET, changed);
    expect(answer.endsWith(`\r\n\r\n${BODY}`)).toBe(true);
    expect(figures.direct).toBe(1);
    await answersTo(`${GET}${CLOSE}`, changed);
    expect(figures.direct).toBe(1);
  });
});
