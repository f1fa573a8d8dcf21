import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** The answer that the server sends until a test sets another. */
export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** The delay before the answer, in ms. */
  delayMs?: number;
}

/** A fake CRM on loopback that gives every request the same answer. */
export interface FeedServer {
  url: string;
  /** `host:port`, for ALLOW_PRIVATE_SOURCES. */
  hostAndPort: string;
  answer: Answer | ((request: IncomingMessage) => Answer);
  /** The requests, with the part of their bodies that has arrived so far. */
  requests: { url: string; headers: IncomingMessage['headers']; body: string }[];
  close(): Promise<void>;
}

export async function startFeedServer(answer: FeedServer['answer'] = {}): Promise<FeedServer> {
  const server = createServer((request, response) => {
    const asked = { url: request.url ?? '', headers: request.headers, body: '' };
    feed.requests.push(asked);
    request.setEncoding('utf8').on('data', (chunk: string) => (asked.body += chunk));
    const current = typeof feed.answer === 'function' ? feed.answer(request) : feed.answer;
    setTimeout(send, current.delayMs ?? 0, response, current).unref();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the feed server has no port');
  const hostAndPort = `127.0.0.1:${address.port}`;
  const feed: FeedServer = {
    url: `http://${hostAndPort}/feed.xml`,
    hostAndPort,
    answer,
    requests: [],
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
  return feed;
}

function send(response: ServerResponse, { status = 200, headers = {}, body = '' }: Answer): void {
  response.writeHead(status, headers);
  response.end(body);
}
