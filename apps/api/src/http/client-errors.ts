import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ApiError } from '@passerelle/domain';
import type { ConnectionError } from 'fastify';
import type { Clock } from '../clock';
import { errorEnvelope } from './error-envelope';
import type { KnownRoutes } from './known-routes';
import { type Answers, NO_ROUTE } from '../metrics/answers';
import { toRequestId } from './request-id';
import { CACHE_NEVER, JSON_TYPE, STANDARD_HEADERS } from './response-headers';

const REASONS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The address and the headers of the request are too long.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time.',
};

/** Answers requests that the HTTP parser refuses, with the envelope of every other error. */
export function clientErrorHandler(routes: KnownRoutes, clock: Clock, answers: Answers) {
  return (error: ConnectionError, socket: Socket): void => {
    // An answer that has begun on this connection cannot be replaced by another.
    const current = (socket as Socket & { _httpMessage?: ServerResponse })._httpMessage;
    if (error.code === 'ECONNRESET' || !socket.writable || current?.headersSent === true) {
      socket.destroy();
      return;
    }
    const refusal = toApiError(error, routes);
    answers.count(NO_ROUTE, refusal.status);
    writeError(socket, refusal, clock);
  };
}

/** Refuses `CONNECT`, which reaches no route, like any other method that is not supported. */
export function refuseConnect(socket: Duplex, clock: Clock, answers: Answers): void {
  const error = new ApiError(
    'METHOD_NOT_ALLOWED',
    'CONNECT is not supported.',
    { method: 'CONNECT' },
    { allow: 'GET, HEAD' },
  );
  answers.count(NO_ROUTE, error.status);
  writeError(socket, error, clock);
}

function toApiError(error: ConnectionError, routes: KnownRoutes): ApiError {
  if (error.code === 'HPE_INVALID_METHOD') {
    const line = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) (\/\S*) HTTP\/1\.[01]\r?\n/.exec(packetOf(error));
    if (line !== null) return routes.refusal(line[1] ?? '', line[2] ?? '');
  }
  return new ApiError('BAD_REQUEST', REASONS[error.code] ?? 'The request is not valid HTTP.');
}

/** The first bytes that arrived; a Buffer at runtime, though Fastify's types do not say so. */
function packetOf({ rawPacket }: ConnectionError): string {
  const packet: unknown = rawPacket;
  return Buffer.isBuffer(packet) ? packet.toString('latin1') : '';
}

function writeError(socket: Duplex, error: ApiError, clock: Clock): void {
  const requestId = toRequestId(undefined);
  const body = JSON.stringify(errorEnvelope(error, requestId, clock.nowMs()));
  const headers: Record<string, string> = {
    ...STANDARD_HEADERS,
    ...error.headers,
    'x-request-id': requestId,
    'cache-control': CACHE_NEVER,
    'content-type': JSON_TYPE,
    'content-length': String(Buffer.byteLength(body)),
    date: new Date(clock.nowMs()).toUTCString(),
    connection: 'close',
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}\r\n${head.join('')}\r\n${body}`, () => {
    socket.destroy();
  });
}
