import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isUrl } from '@passerelle/domain';
import { Site, type SiteOptions } from './site';

export interface DemoServer {
  port: number;
  close(): Promise<void>;
}

export interface DemoServerOptions extends SiteOptions {
  /** Tried in their order. */
  ports: readonly number[];
}

/** Starts the server on the first free port. @throws Error when no port is free */
export async function startDemoServer({ ports, ...options }: DemoServerOptions): Promise<DemoServer> {
  const site = new Site(options);
  const server = createServer((request, response) => {
    answer(site, request, response).catch(() => response.destroy());
  });
  await listenOnFirst(server, ports);
  // Ignore a failed connection, because the next one may succeed.
  server.on('error', () => undefined);
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(site: Site, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', url = '/' } = request;
  if (method !== 'GET' && method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD', 'content-length': 0 }).end();
    return;
  }
  if (!isUrl(url, 'http://demo')) {
    response.writeHead(400, { 'content-length': 0 }).end();
    return;
  }
  const { status, headers, body } = await site.answer(new URL(url, 'http://demo'));
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(method === 'HEAD' ? undefined : body);
}

async function listenOnFirst(server: Server, ports: readonly number[]): Promise<void> {
  for (const port of ports) {
    try {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      return;
    } catch {
      // The port is taken or not permitted: try the next one.
    }
  }
  throw new Error('no port is free');
}
