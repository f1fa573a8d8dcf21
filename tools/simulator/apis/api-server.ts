import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Answer, type Misbehaviour, sendAnswer, sendFaulty } from '../misbehaviour';

/** A request with its whole body. */
export interface ApiRequest {
  method: string;
  url: URL;
  headers: IncomingMessage['headers'];
  body: string;
}

/** An API on loopback that answers one request after the other, for tests of a connector. */
export interface ApiServer {
  /** `host:port`, for ALLOW_PRIVATE_SOURCES. */
  host: string;
  /** In the order in which they came. */
  requests: readonly ApiRequest[];
  /** Decides for each request whether it meets a fault; undefined when it does not. */
  fault: ((request: ApiRequest, number: number) => Misbehaviour | undefined) | undefined;
  close(): Promise<void>;
}

/** Starts it. @param answer what the API does when nothing goes wrong. */
export async function startApi(answer: (request: ApiRequest) => Answer): Promise<ApiServer> {
  const requests: ApiRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = 'GET', headers } = request;
      const url = new URL(request.url ?? '/', 'http://api.example');
      const asked: ApiRequest = { method, url, headers, body: Buffer.concat(chunks).toString() };
      requests.push(asked);
      const fault = api.fault?.(asked, requests.length);
      const good = answer(asked);
      if (fault === undefined) sendAnswer(response, good);
      else sendFaulty(response, good, fault).catch(() => response.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const api: ApiServer = {
    host: `127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    requests,
    fault: undefined,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  return api;
}
