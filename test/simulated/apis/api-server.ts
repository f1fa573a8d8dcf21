import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from '../../../tools/simulator/answers';
import { type Answer, type Misbehaviour, sendAnswer, sendFaulty } from '../../../tools/simulator/misbehaviour';

/** A request with its complete body. */
export interface ApiRequest {
  method: string;
  url: URL;
  headers: IncomingMessage['headers'];
  body: string;
}

/** The limits of an API for one account. Requests over a limit get 429. */
export interface ApiLimits {
  requestsPerDay?: number;
  /** In any second. */
  requestsPerSecond?: number;
  /** The maximum number of concurrent requests. */
  requestsAtOnce?: number;
  /** The delay of each response. Without a delay, requests are never concurrent. */
  answerMs?: number;
}

/** The server's counters. */
export interface ApiCounts {
  today: number;
  mostAtOnce: number;
  /** Answered with 429. */
  refused: number;
}

/** Six hours, after which the simulated day is over. */
const TOMORROW = { 'retry-after': String(6 * 3600) };
const SOON = { 'retry-after': '1' };

/** An API on loopback that answers one request after the other, for the tests of a connector. */
export interface ApiServer {
  /** `host:port`, for ALLOW_PRIVATE_SOURCES. */
  host: string;
  /** In the order of arrival. */
  requests: readonly ApiRequest[];
  /** Returns the fault that a request gets; undefined for a normal response. */
  fault: ((request: ApiRequest, number: number) => Misbehaviour | undefined) | undefined;
  /** Limits that the API enforces strictly; default: none. */
  limits: ApiLimits;
  counts: Readonly<ApiCounts>;
  close(): Promise<void>;
}

/** Starts the API. @param answer returns the API's response when there is no fault */
export async function startApi(answer: (request: ApiRequest) => Answer): Promise<ApiServer> {
  const requests: ApiRequest[] = [];
  const counts: ApiCounts = { today: 0, mostAtOnce: 0, refused: 0 };
  const askedAt: number[] = [];
  let underWay = 0;
  /** Refuses a request that exceeds the limits; undefined if the request may pass. */
  const refusal = (limits: ApiLimits): Answer | undefined => {
    const { requestsPerDay = Infinity, requestsPerSecond = Infinity, requestsAtOnce = Infinity } = limits;
    const now = performance.now();
    while (askedAt[0] !== undefined && askedAt[0] <= now - 1000) askedAt.shift();
    askedAt.push(now);
    if (counts.today > requestsPerDay) return { ...json(429, { message: 'quota' }), headers: TOMORROW };
    const isTooMuch = askedAt.length > requestsPerSecond || underWay > requestsAtOnce;
    return isTooMuch ? { ...json(429, { message: 'too many requests' }), headers: SOON } : undefined;
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = 'GET', headers } = request;
      const url = new URL(request.url ?? '/', 'http://api.example');
      const asked: ApiRequest = { method, url, headers, body: Buffer.concat(chunks).toString() };
      requests.push(asked);
      counts.today += 1;
      underWay += 1;
      counts.mostAtOnce = Math.max(counts.mostAtOnce, underWay);
      response.once('close', () => (underWay -= 1));
      const refused = refusal(api.limits);
      if (refused !== undefined) {
        counts.refused += 1;
        sendAnswer(response, refused);
        return;
      }
      const fault = api.fault?.(asked, requests.length);
      const good = answer(asked);
      const { answerMs } = api.limits;
      if (fault === undefined && answerMs === undefined) sendAnswer(response, good);
      else if (fault === undefined) setTimeout(sendAnswer, answerMs, response, good);
      else sendFaulty(response, good, fault).catch(() => response.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const api: ApiServer = {
    host: `127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    requests,
    fault: undefined,
    limits: {},
    counts,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  return api;
}
