import * as http from 'node:http';
import * as https from 'node:https';
import type { LookupFunction } from 'node:net';
import { errorCode } from '../../error-code';
import { ATTEMPT_MS } from '../address-guard';
import type { Hop } from './redirects';

// Many servers close idle connections after 5 s, and a request that is sent at that moment is lost, so this is shorter.
const IDLE_MS = 4000;
const CONNECTIONS_TO_A_HOST = 2;

export interface ConnectionOptions {
  lookup?: LookupFunction;
  /** Whether a connection stays open for the next request; default true. */
  keepAlive?: boolean;
  /** The maximum number of connections to one host; default 2. */
  maxSockets?: number;
}

/** HTTP/1.1 connections to sources, shared by the requests of one run. Must be closed. */
export class SourceConnections {
  private readonly http: http.Agent;
  private readonly https: https.Agent;

  constructor({ keepAlive = true, maxSockets = CONNECTIONS_TO_A_HOST, lookup }: ConnectionOptions = {}) {
    const options: http.AgentOptions = {
      ...{ keepAlive, ...(keepAlive && { timeout: IDLE_MS }), maxSockets },
      ...{ autoSelectFamilyAttemptTimeout: ATTEMPT_MS, ...(lookup !== undefined && { lookup }) },
    };
    this.http = new http.Agent(options);
    this.https = new https.Agent(options);
  }

  /**
   * The body must be read to its end or destroyed. If the source has closed a kept-alive connection, a GET is sent
   * again.
   * @throws a system error; the abort's error when the signal is aborted.
   */
  async request(hop: Hop, signal: AbortSignal): Promise<http.IncomingMessage> {
    for (;;) {
      const request = this.start(hop, signal);
      try {
        return await answerTo(request, hop.body);
      } catch (error) {
        if (!request.reusedSocket || hop.method !== 'GET' || !isClosedConnection(error)) throw error;
      }
    }
  }

  close(): void {
    this.http.destroy();
    this.https.destroy();
  }

  private start({ url, method, headers }: Hop, signal: AbortSignal): http.ClientRequest {
    const options = { method, headers, signal };
    return url.protocol === 'https:'
      ? https.request(url, { ...options, agent: this.https })
      : http.request(url, { ...options, agent: this.http });
  }
}

function answerTo(request: http.ClientRequest, body: string | undefined): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    // Both error listeners stay, because an error without a listener would end the process.
    request.on('error', reject);
    request.on('response', (response) => {
      response.on('error', () => undefined);
      resolve(response);
    });
    // A 101 answer (another protocol) closes the request without an error.
    request.on('close', () => {
      reject(new Error('the connection was closed without an answer'));
    });
    request.end(body);
  });
}

function isClosedConnection(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ECONNRESET' || code === 'EPIPE';
}
