import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';

/**
 * Changes to one answer. `pass`: none. `cut`: half of the body, then the connection breaks. `torn`: half of the body,
 * with a matching length. `drop`: the connection breaks before the answer. An object replaces the answer.
 */
export type Mischief =
  'pass' | 'cut' | 'torn' | 'drop' | { status: number; headers?: Record<string, string>; body?: string | Buffer };

/** One request that the proxy received. */
export interface SeenRequest {
  method: string;
  /** Without the query. */
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
}

/** A proxy on loopback between a client and the API. */
export interface MisbehavingProxy {
  url: string;
  requests: SeenRequest[];
  /** Called for each request before the proxy forwards it. A promise delays the request. */
  mischief: (request: SeenRequest) => Mischief | Promise<Mischief>;
  close(): Promise<void>;
}

/** @param target the URL to which the proxy forwards requests */
export async function startMisbehavingProxy(target: string): Promise<MisbehavingProxy> {
  const server = createServer((incoming, outgoing) => {
    forward(proxy, target, incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: MisbehavingProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    mischief: () => 'pass',
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return proxy;
}

async function forward(
  proxy: MisbehavingProxy,
  target: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { method = 'GET', url = '/', headers } = incoming;
  const { pathname: path, searchParams: query } = new URL(url, target);
  const seen = { method, path, query, headers };
  proxy.requests.push(seen);
  const body = Buffer.concat(await incoming.toArray());
  const mischief = await proxy.mischief(seen);
  if (mischief === 'drop') {
    outgoing.destroy();
    return;
  }
  if (typeof mischief === 'object') {
    outgoing.writeHead(mischief.status, mischief.headers).end(mischief.body ?? '');
    return;
  }
  const sends = method !== 'GET' && method !== 'HEAD';
  const answer = await request(target + url, {
    ...{ method, headers: without(headers, 'host', 'connection') },
    body: sends ? body : null,
  });
  const bytes = Buffer.from(await answer.body.arrayBuffer());
  const half = bytes.subarray(0, Math.floor(bytes.length / 2));
  const answered = without(answer.headers, 'connection', 'transfer-encoding');
  if (mischief === 'torn') answered['content-length'] = String(half.length);
  outgoing.writeHead(answer.statusCode, answered);
  if (mischief === 'cut') {
    outgoing.write(half, () => outgoing.destroy());
    return;
  }
  outgoing.end(mischief === 'torn' ? half : bytes);
}

function without<Headers extends object>(headers: Headers, ...names: string[]): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name))) as Headers;
}
