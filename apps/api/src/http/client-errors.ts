import { maxHeaderSize, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError } from '@passerelle/domain';
import type { ConnectionError, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../clock';
import type { Answers } from '../metrics/answers';
import type { Connections, LastAnswer, RemoteAddresses } from './connections';
import type { ErrorFilter } from './error.filter';
import { errorEnvelope } from './error-envelope';
import type { KnownRoutes } from './known-routes';
import { toRequestId } from './request-head';
import { CACHE_NEVER, JSON_TYPE } from './response-headers';

const REASONS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: `The address and the headers of the request are longer than ${maxHeaderSize / 1024} KB.`,
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time.',
};

export interface ClientErrorOptions {
  routes: KnownRoutes;
  clock: Clock;
  answers: Answers;
  errors: ErrorFilter;
  connections: Connections;
  addresses: RemoteAddresses;
  headers: Readonly<Record<string, string>>;
}

interface Refusal {
  error: ApiError;
  fault: string;
}

/** Refuses after earlier responses, and never with 404: a site that mixes up responses would remove a listing. */
export class ClientErrors {
  /** Requests whose body is being read, by their response. */
  private readonly read = new WeakMap<object, { request: FastifyRequest; reply: FastifyReply }>();
  /** Connections with a refusal. The parser may report further errors on them. */
  private readonly refused = new WeakSet<Duplex>();

  constructor(private readonly options: ClientErrorOptions) {}

  /** Registers a request whose body is about to be read: the body may still be invalid HTTP. */
  watch(request: FastifyRequest, reply: FastifyReply): void {
    this.read.set(reply.raw, { request, reply });
  }

  refuse(error: ConnectionError, socket: Duplex): void {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    if (this.refused.has(socket)) return;
    this.refused.add(socket);
    const refusal = { error: toApiError(error, this.options.routes), fault: error.code };
    const last = this.options.connections.last(socket);
    if (last?.response.req.complete === false) {
      this.refuseBody(last, socket, refusal.error);
    } else {
      this.answerBehind(socket, refusal);
    }
  }

  /** Refuses `CONNECT` as an unsupported method, because it reaches no route. */
  refuseConnect(socket: Duplex): void {
    const method = 'CONNECT';
    const error = new ApiError(
      'METHOD_NOT_ALLOWED',
      'CONNECT is not supported.',
      { method },
      { allow: 'GET, HEAD', connection: 'close' },
    );
    this.answerBehind(socket, { error, fault: method });
  }

  /** The invalid bytes are the last request's body. If the handler still waits, the refusal becomes the response. */
  private refuseBody({ response, isOver }: LastAnswer, socket: Duplex, error: ApiError): void {
    if (isOver) {
      socket.destroy();
      return;
    }
    response.once('close', () => socket.destroy());
    const read = this.read.get(response);
    if (read === undefined || this.options.errors.hasAnswered(read.reply)) return;
    this.options.errors.send(error, read.request, read.reply);
  }

  private answerBehind(socket: Duplex, refusal: Refusal): void {
    this.options.connections.whenOver(socket, () => {
      this.write(socket, refusal);
    });
  }

  private write(socket: Duplex, { error, fault }: Refusal): void {
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    const { addresses, answers, clock, headers: standard } = this.options;
    const requestId = toRequestId(undefined);
    const body = JSON.stringify(errorEnvelope(error, requestId, clock.nowMs()));
    const headers: Record<string, string> = {
      ...standard,
      ...error.headers,
      'x-request-id': requestId,
      'cache-control': CACHE_NEVER,
      'content-type': JSON_TYPE,
      'content-length': String(Buffer.byteLength(body)),
      date: new Date(clock.nowMs()).toUTCString(),
    };
    answers.refused({ requestId, address: addresses.of(socket), fault, status: error.status });
    const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}\r\n${head.join('')}\r\n${body}`, () => {
      socket.destroy();
    });
  }
}

function toApiError(error: ConnectionError, routes: KnownRoutes): ApiError {
  const refusal = error.code === 'HPE_INVALID_METHOD' ? refusedMethod(error, routes) : null;
  const message = refusal?.message ?? REASONS[error.code] ?? 'The request is not valid HTTP.';
  return new ApiError(refusal?.code ?? 'BAD_REQUEST', message, refusal?.detail, {
    ...refusal?.headers,
    connection: 'close',
  });
}

/** The refusal of a method that the parser does not know; null if the path does not exist. */
function refusedMethod(error: ConnectionError, routes: KnownRoutes): ApiError | null {
  const line = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) (\/\S*) HTTP\/1\.[01]\r?\n/.exec(fromItsLine(error));
  const refusal = line === null ? null : routes.refusal(line[1] ?? '', line[2] ?? '');
  return refusal?.code === 'METHOD_NOT_ALLOWED' ? refusal : null;
}

/** The received bytes from the line where the parser stopped, because earlier requests may precede this line. */
function fromItsLine(error: ConnectionError): string {
  // Fastify's types declare a string, but the packet is a Buffer.
  const packet: unknown = error.rawPacket;
  if (!Buffer.isBuffer(packet)) return '';
  const before = packet.subarray(0, error.bytesParsed);
  return packet.toString('latin1', before.lastIndexOf('\n') + 1);
}
