import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ownText } from '@passerelle/domain';
import type { Traces } from '@passerelle/traces';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Counter, Registry } from 'prom-client';
import { type AccessLog, type Answered, type LoggedRequest, loggedRequestOf, type RefusedRequest } from './access-log';
import { AnswerTimes, type Times } from './answer-times';

/** The route of a request that none takes, or that is refused before one is looked for. */
const NO_ROUTE = 'none';
/** The status of an answer whose reader left before its end. */
const ABORTED = 'aborted';

const BUCKETS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** As `X-Cache` says it; `none` for answers that come from no snapshot. */
type CacheState = 'hit' | 'miss' | 'none';

/** When an answer began, and how much its connection had carried by then. */
export interface AnswerStart {
  ms: number;
  bytes: number;
  socket: Socket;
}

interface AnswerEnd {
  /** Of the request. */
  id: string;
  /** For the log and the traces, where there are any. */
  logged: () => LoggedRequest;
  route: string;
  cache: CacheState;
  start: AnswerStart;
}

/** Counts, times and logs the answers of this process. Whatever is told to it for each answer finds its labels ready. */
export class Answers {
  readonly registry = new Registry();
  private readonly latency = new AnswerTimes(
    'passerelle_api_answer_seconds',
    'How long answers took, from the headers of the request until the last byte was handed to the system; those broken off do not count',
    BUCKETS_SECONDS,
  );
  private readonly latencies = new Map<string, Record<CacheState, Times>>();
  /** How many, by route and status. */
  private readonly counts = new Map<string, Map<number | typeof ABORTED, number>>();

  /**
   * @param log where each answer has a line; null for none
   * @param traces where each answer has a span; null for none
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
      // A counter that is told of each answer makes a page from memory 3 % slower.
      collect() {
        this.reset();
        for (const [route, byStatus] of counts) {
          for (const [status, count] of byStatus) this.inc({ route, status: String(status) }, count);
        }
      },
    });
  }

  /** What is counted here and in the registry, in Prometheus' text format. */
  async text(): Promise<string> {
    return `${await this.registry.metrics()}\n${this.latency.text()}`;
  }

  /** The moment at which an answer begins, for `end`. */
  begin(socket: Socket): AnswerStart {
    return { ms: performance.now(), bytes: this.log === null ? 0 : socket.bytesWritten, socket };
  }

  /** Counts the answer to a request, whatever it will be, when it is over. */
  watch(request: FastifyRequest, reply: FastifyReply): void {
    const start = this.begin(request.raw.socket);
    reply.raw.once('close', () => {
      const route = request.is404 ? NO_ROUTE : (request.routeOptions.url ?? NO_ROUTE);
      const cache = cacheStateOf(reply.getHeader('x-cache'));
      this.end(reply.raw, { id: request.id, logged: () => loggedRequestOf(request), route, cache, start });
    });
  }

  /** Counts an answer that is over. */
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

  /** Counts the answer to what the HTTP parser refused: there is no beginning to time it from. */
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

/** The route is a pattern: what stands in its place may be anything that somebody has sent. */
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

function cacheStateOf(header: unknown): CacheState {
  if (header === 'HIT') return 'hit';
  return header === 'MISS' ? 'miss' : 'none';
}
