import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ownText } from '@passerelle/domain';
import type { Traces } from '@passerelle/traces';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Counter, Histogram, Registry } from 'prom-client';
import { type AccessLog, type Answered, type LoggedRequest, loggedRequestOf, type RefusedRequest } from './access-log';

/** The route of a request that matches none, or that is refused before routing. */
const NO_ROUTE = 'none';
const ABORTED = 'aborted';

const BUCKETS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

type CacheState = 'hit' | 'miss' | 'none';

/** When a response began, and how many bytes its connection had sent by then. */
export interface AnswerStart {
  ms: number;
  bytes: number;
  socket: Socket;
}

interface AnswerEnd {
  /** The id of the request. */
  id: string;
  /** For the log and the traces, if enabled. */
  logged: () => LoggedRequest;
  route: string;
  cache: CacheState;
  start: AnswerStart;
}

export interface KnownAnswer {
  route: string;
  logged: LoggedRequest;
}

/** A request whose handler knows the labels of its response, so that they need not be read from request and reply. */
export interface AnsweredRequest extends FastifyRequest {
  known?: KnownAnswer;
  /** `X-Cache` of a response that Fastify does not send. */
  cache?: 'HIT' | 'MISS';
}

export class Answers {
  readonly registry = new Registry();
  private readonly counts = new Counter({
    name: 'passerelle_api_answers_total',
    help: 'Responses by status; `aborted` when the reader disconnected first',
    labelNames: ['route', 'status'],
    registers: [this.registry],
  });
  private readonly latency = new Histogram({
    name: 'passerelle_api_answer_seconds',
    help: 'Duration of responses, from the request headers until the last byte was handed to the system; aborted responses do not count',
    labelNames: ['route', 'cache'],
    buckets: BUCKETS_SECONDS,
    registers: [this.registry],
  });

  constructor(
    private readonly log: AccessLog | null,
    private readonly traces: Traces | null = null,
  ) {}

  begin(socket: Socket): AnswerStart {
    return { ms: performance.now(), bytes: this.log === null ? 0 : socket.bytesWritten, socket };
  }

  watch(request: AnsweredRequest, reply: FastifyReply): void {
    const start = this.begin(request.raw.socket);
    reply.raw.once('close', () => {
      const { id, known } = request;
      const cache = cacheStateOf(request.cache ?? reply.getHeader('x-cache'));
      const logged = (): LoggedRequest => known?.logged ?? loggedRequestOf(request);
      this.end(reply.raw, { id, logged, route: known?.route ?? routeOf(request), cache, start });
    });
  }

  end(
    { writableFinished, statusCode }: Pick<ServerResponse, 'writableFinished' | 'statusCode'>,
    { id, logged, route, cache, start }: AnswerEnd,
  ): void {
    const ms = performance.now() - start.ms;
    const status = writableFinished ? statusCode : ABORTED;
    this.counts.inc({ route, status: String(status) });
    if (status !== ABORTED) this.latency.observe({ route, cache }, ms / 1000);
    if (this.log !== null) {
      this.log.write(logged(), { id, status, cache, ms, bytes: start.socket.bytesWritten - start.bytes });
    }
    if (this.traces !== null) trace(this.traces, logged(), { id, route, status, cache, ms });
  }

  /** Counts the response to a request that the HTTP parser refused: it has no start time. */
  refused(answer: RefusedRequest): void {
    this.counts.inc({ route: NO_ROUTE, status: String(answer.status) });
    this.log?.writeRefused(answer);
  }
}

/** Traces the route's pattern, because the actual path may contain any input. */
function trace(
  traces: Traces,
  { details: { method, crm, client } }: LoggedRequest,
  {
    id: requestId,
    route,
    status,
    cache,
    ms,
  }: Pick<AnswerEnd, 'id' | 'route' | 'cache'> & Pick<Answered, 'status' | 'ms'>,
): void {
  const endMs = Date.now();
  traces.record({
    ...{ name: `${method} ${route}`, kind: 'server', startMs: endMs - ms, endMs, requestId },
    hasFailed: typeof status === 'number' && status >= 500,
    attributes: {
      'http.request.method': method,
      'http.route': route,
      ...(status === ABORTED ? { 'error.type': ABORTED } : { 'http.response.status_code': status }),
      'passerelle.cache': cache,
      'passerelle.crm': crm && ownText(crm),
      'passerelle.client': client && ownText(client),
      'passerelle.request_id': requestId,
    },
  });
}

/** Fastify makes an object for each access to the options of a route. */
function routeOf(request: FastifyRequest): string {
  return request.is404 ? NO_ROUTE : (request.routeOptions.url ?? NO_ROUTE);
}

function cacheStateOf(header: unknown): CacheState {
  if (header === 'HIT') return 'hit';
  return header === 'MISS' ? 'miss' : 'none';
}
