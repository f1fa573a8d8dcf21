import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

/** A request that arrived at a site. */
export interface Arrival {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  atMs: number;
}

/** A site on loopback whose endpoints give the answers that the test defines. */
export interface WebhookSite {
  url: string;
  /** `host:port`, for ALLOW_PRIVATE_SOURCES. */
  hostAndPort: string;
  arrivals: Arrival[];
  /** Default: 204. */
  answer: (response: ServerResponse, arrival: Arrival) => void;
  close(): Promise<void>;
}

export async function startSite(): Promise<WebhookSite> {
  const server = createServer((request, response) => void take(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const hostAndPort = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const site: WebhookSite = {
    url: `http://${hostAndPort}/hook`,
    hostAndPort,
    arrivals: [],
    answer: (response) => response.writeHead(204).end(),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const arrival = { path: request.url ?? '', headers: request.headers, body, atMs: Date.now() };
    site.arrivals.push(arrival);
    site.answer(response, arrival);
  }
  return site;
}

/** Verifies a request with the reference implementation of Standard Webhooks. @throws when the signature is wrong */
export function verified(
  { body, headers }: Arrival,
  secret: string,
): { type: string; timestamp: string; data: Record<string, unknown> } {
  return new Webhook(secret).verify(body, headers as Record<string, string>) as ReturnType<typeof verified>;
}
