import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ownText } from '@passerelle/domain';
import type { Traces } from '@passerelle/traces';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Counter, Registry } from 'prom-client';
import { type AccessLog, type Answered, type LoggedRequest, loggedRequestOf, type RefusedRequest } from './access-log';
import { AnswerTimes, type Times } from './answer-times';

/** The route of a request that matches none, or that is refused before routing. */
const NO_ROUTE = 'none';
/** The status of a response whose reader disconnected before its end. */
const ABORTED = 'aborted';

const BUCKETS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The value of `X-Cache`; `none` for responses without a snapshot. */
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

/** The labels of all responses to one URL. */
export interface KnownAnswer {
  route: string;
  logged: LoggedRequest;
}

/** A request whose handler has found the labels of its response, which would otherwise be read from request and reply. */
export interface AnsweredRequest extends FastifyRequest {
  known?: KnownAnswer;
  /** `X-Cache` of a response that Fastify does not send. */
  cache?: 'HIT' | 'MISS';
}

/** Counts, times and logs the responses of this process. It keeps the labels ready for each response. */
export class Answers {
  readonly registry = new Registry();
  private readonly latency = new AnswerTimes(
    'passerelle_api_answer_seconds',
    'How long answers took, from the headers of the request until the last byte was handed to the system; those broken off do not count',
    BUCKETS_SECONDS,
  );
  private readonly latencies = new Map<string, Record<CacheState, Times>>();
  /** Counts by route and status. */
  private readonly counts = new Map<string, Map<number | typeof ABORTED, number>>();

  /**
   * @param log for a line per response; null for none
   * @param traces for a span per response; null for none
   */
  constructor(
    private readonly log: AccessLog | null,
    private readonly traces: Traces | null = null,
  ) {
    const { counts, registry } = this;
    new Counter({
      name: 'passerelle_api_answers_total',
      help: 'Answers by status; of those whose reader left before their end, `aborted`',
      labelNames: ['route', 'status'],
      registers: [registry],
      // Collects the counts during a scrape: increasing a counter for each response would make a cached page 3 %
      // slower.
      collect() {
        this.reset();
        for (const [route, byStatus] of counts) {
          for (const [status, count] of byStatus) this.inc({ route, status: String(status) }, count);
        }
      },
    });
  }

  /** The counts of this class and of the registry, in Prometheus's text format. */
  async text(): Promise<string> {
    return `${await this.registry.metrics()}\n${this.latency.text()}`;
  }

  /** The start of a response, for `end`. */
  begin(socket: Socket): AnswerStart {
    return { ms: performance.now(), bytes: this.log === null ? 0 : socket.bytesWritten, socket };
  }

  /** Counts the response to a request when it has ended. */
  watch(request: AnsweredRequest, reply: FastifyReply): void {
    const start = this.begin(request.raw.socket);
    reply.raw.once('close', () => {
      const { id, known } = request;
      const cache = cacheStateOf(request.cache ?? reply.getHeader('x-cache'));
      const logged = (): LoggedRequest => known?.logged ?? loggedRequestOf(request);
      this.end(reply.raw, { id, logged, route: known?.route ?? routeOf(request), cache, start });
    });
  }

  /** Counts a response that has ended. */
  end(
    { writableFinished, statusCode }: Pick<ServerResponse, 'writableFinished' | 'statusCode'>,
    { id, logged, route, cache, start }: AnswerEnd,
  ): void {
    const ms = performance.now() - start.ms;
    const status = writableFinished ? statusCode : ABORTED;
    this.count(route, status);
    if (status !== ABORTED) this.latencyOf(route)[cache].observe(ms / 1000);
    if (this.log !== null) {
      this.log.write(logged(), { id, status, cache, ms, bytes: start.socket.bytesWritten - start.bytes });
    }
    if (this.traces !== null) trace(this.traces, logged(), { id, route, status, cache, ms });
  }

  /** Counts the response to a request that the HTTP parser refused: it has no start time. */
  refused(answer: RefusedRequest): void {
    this.count(NO_ROUTE, answer.status);
    this.log?.writeRefused(answer);
  }

  private count(route: string, status: number | typeof ABORTED): void {
    let byStatus = this.counts.get(route);
    if (byStatus === undefined) {
      byStatus = new Map();
      this.counts.set(route, byStatus);
    }
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
  }

  private latencyOf(route: string): Record<CacheState, Times> {
    let latency = this.latencies.get(route);
    if (latency === undefined) {
      const child = (cache: CacheState): Times => this.latency.timesOf({ route, cache });
      latency = { hit: child('hit'), miss: child('miss'), none: child('none') };
      this.latencies.set(route, latency);
    }
    return latency;
  }
}

/** The route is a pattern: the actual path may contain any input. */
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
