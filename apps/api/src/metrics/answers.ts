import type { FastifyReply, FastifyRequest } from 'fastify';
import { Counter, Histogram, Registry } from 'prom-client';
import type { AccessLog } from '../http/access-log';

/** The route of a request that none takes, or that is refused before one is looked for. */
export const NO_ROUTE = 'none';
/** The status of an answer whose reader left before its end. */
const ABORTED = 'aborted';

const BUCKETS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** As `X-Cache` says it; `none` for answers that come from no snapshot. */
type CacheState = 'hit' | 'miss' | 'none';

/** When an answer began, and how much its connection had carried by then. */
interface AnswerStart {
  ms: number;
  bytes: number;
}

interface AnswerEnd {
  route: string;
  status: number | typeof ABORTED;
  cache: CacheState;
  start: AnswerStart;
}

interface Counted {
  inc(): void;
}

interface Watched {
  observe(seconds: number): void;
}

/** Counts, times and logs the answers of this process. Whatever is told to it for each answer finds its labels ready. */
export class Answers {
  readonly registry = new Registry();
  private readonly latency = new Histogram({
    name: 'passerelle_api_answer_seconds',
    help: 'How long answers took, from the headers of the request until the last byte was handed to the system; those broken off do not count',
    labelNames: ['route', 'cache'],
    buckets: BUCKETS_SECONDS,
    registers: [this.registry],
  });
  private readonly counter = new Counter({
    name: 'passerelle_api_answers_total',
    help: 'Answers by status; of those whose reader left before their end, `aborted`',
    labelNames: ['route', 'status'],
    registers: [this.registry],
  });
  private readonly latencies = new Map<string, Record<CacheState, Watched>>();
  private readonly counters = new Map<string, Map<number | typeof ABORTED, Counted>>();

  /** @param log where each answer has a line; null for none */
  constructor(private readonly log: AccessLog | null) {}

  /** The moment at which an answer begins, for `end`. */
  begin(request: FastifyRequest): AnswerStart {
    return { ms: performance.now(), bytes: this.log === null ? 0 : request.raw.socket.bytesWritten };
  }

  /** Counts the answer to a request, whatever it will be, when it is over. */
  watch(request: FastifyRequest, reply: FastifyReply): void {
    const start = this.begin(request);
    reply.raw.once('close', () => {
      const route = request.is404 ? NO_ROUTE : (request.routeOptions.url ?? NO_ROUTE);
      const status = reply.raw.writableFinished ? reply.raw.statusCode : ABORTED;
      this.end(request, { route, status, cache: cacheStateOf(reply.getHeader('x-cache')), start });
    });
  }

  /** Counts an answer that is over. */
  end(request: FastifyRequest, { route, status, cache, start }: AnswerEnd): void {
    const ms = performance.now() - start.ms;
    this.count(route, status);
    if (status !== ABORTED) this.latencyOf(route)[cache].observe(ms / 1000);
    this.log?.write(request, { status, cache, ms, bytes: request.raw.socket.bytesWritten - start.bytes });
  }

  /** Counts the answer to a request that the HTTP parser refused: there is no beginning to time it from. */
  count(route: string, status: number | typeof ABORTED): void {
    let byStatus = this.counters.get(route);
    if (byStatus === undefined) {
      byStatus = new Map();
      this.counters.set(route, byStatus);
    }
    let counter = byStatus.get(status);
    if (counter === undefined) {
      counter = this.counter.labels(route, String(status));
      byStatus.set(status, counter);
    }
    counter.inc();
  }

  private latencyOf(route: string): Record<CacheState, Watched> {
    let latency = this.latencies.get(route);
    if (latency === undefined) {
      const child = (cache: CacheState): Watched => this.latency.labels(route, cache);
      latency = { hit: child('hit'), miss: child('miss'), none: child('none') };
      this.latencies.set(route, latency);
    }
    return latency;
  }
}

function cacheStateOf(header: unknown): CacheState {
  if (header === 'HIT') return 'hit';
  return header === 'MISS' ? 'miss' : 'none';
}
