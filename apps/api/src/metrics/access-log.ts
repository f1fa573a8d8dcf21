import { maskPath, SLUG_PATTERN } from '@passerelle/domain';
import type { FastifyRequest } from 'fastify';
import { type LogLevel, logOptions, timeOfLine } from '@passerelle/settings';
import pino, { type DestinationStream, type Logger } from 'pino';
import { ThrottledLogger } from '@passerelle/limits';

export interface RequestDetails {
  method: string;
  /** From `shownPathOf`: without secrets. */
  path: string;
  /** The gateway in the request, which need not exist. */
  crm?: string | undefined;
  client?: string | undefined;
}

/** The fields of a request as JSON members, which are reused for each request of a cached page. */
export class LoggedRequest {
  readonly members: string;

  constructor(readonly details: RequestDetails) {
    this.members = JSON.stringify(details).slice(1, -1);
  }
}

export interface Answered {
  /** The well-formed id of the request. */
  id: string;
  /** `aborted` when the reader disconnected before the end of the response. */
  status: number | 'aborted';
  /** The value of `X-Cache`; `none` for responses without a snapshot. */
  cache: 'hit' | 'miss' | 'none';
  ms: number;
  /** Sent bytes, including headers, after any compression. */
  bytes: number;
}

export interface RefusedRequest {
  requestId: string;
  /** The client's address. */
  address: string;
  /** Node's error code. */
  fault: string;
  status: number;
}

const INFO = pino.levels.values['info'];
const MOST_PATH_CHARACTERS = 300;
/** A client that does not speak HTTP may cause any number of refusals. */
const MOST_REFUSED_A_SECOND = 10;

/**
 * Logs one line for each response. From the query, which may contain a key, it logs only the gateway's name. It builds
 * lines in pino's form itself, because pino takes 8 µs per line, a fifth of the time of a compressed page from memory.
 */
export class AccessLog {
  private refusedSecond = 0;
  private refusedLines = 0;
  private readonly unlogged: ThrottledLogger;
  private readonly bindings: string;

  /** @param stream for the lines, shared with the logger */
  constructor(
    private readonly logger: Logger,
    private readonly stream: DestinationStream,
  ) {
    this.bindings = JSON.stringify(logger.bindings()).slice(1, -1);
    this.unlogged = new ThrottledLogger((count) => {
      logger.warn({ count }, 'requests that were not valid HTTP are counted, not logged');
    });
  }

  write({ members }: LoggedRequest, { id, status, cache, ms, bytes }: Answered): void {
    const start = `{"level":${INFO}${timeOfLine()},${this.bindings},"requestId":"${id}",${members}`;
    const figures = `"ms":${Math.round(ms * 100) / 100},"bytes":${bytes},"cache":"${cache}"`;
    this.stream.write(`${start},"status":${JSON.stringify(status)},${figures},"msg":"answered"}\n`);
  }

  writeRefused(answer: RefusedRequest): void {
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.refusedSecond) this.refusedLines = 0;
    this.refusedSecond = second;
    this.refusedLines += 1;
    if (this.refusedLines <= MOST_REFUSED_A_SECOND) this.logger.info(answer, 'answered');
    else this.unlogged.note();
  }
}

export function loggedRequestOf(request: FastifyRequest): LoggedRequest {
  const path = shownPathOf(request).slice(0, MOST_PATH_CHARACTERS);
  return new LoggedRequest({ method: request.method, path, ...gatewayOf(request) });
}

/** If this is the only parameter of a path, its value may be logged: the identifier of a listing or a webhook. */
const SHOWN_PARAMETER = ':id';
/** Words of our own routes that `maskPath` does not know. */
const OWN_WORDS: readonly string[] = [
  ...['changes', 'connectors', 'health', 'history', 'kyero.xml', 'leads', 'manifest', 'metrics', 'openapi.json'],
  ...['ready', 'report', 'status', 'webhooks'],
];

/** The path without its query. A path with a secret is shown as its route, an unknown path only with usual words. */
export function shownPathOf({
  url,
  is404,
  routeOptions,
}: Pick<FastifyRequest, 'url' | 'is404' | 'routeOptions'>): string {
  const path = url.split(/[?#]/, 1)[0] ?? '';
  const route = is404 ? undefined : routeOptions.url;
  if (route === undefined || route.includes('*')) return maskPath(path, OWN_WORDS);
  const parameters = route.split('/').filter((segment) => segment.startsWith(':'));
  const isShown = parameters.length > 0 && parameters.every((parameter) => parameter === SHOWN_PARAMETER);
  return isShown ? path : route;
}

function gatewayOf({ query, body }: FastifyRequest): { crm?: string | undefined; client?: string | undefined } {
  const named = { ...(isObject(body) ? body : {}), ...(isObject(query) ? query : {}) };
  return { crm: slugOf(named['crm'] ?? named['variable1']), client: slugOf(named['client'] ?? named['variable2']) };
}

function slugOf(text: unknown): string | undefined {
  return typeof text === 'string' && SLUG_PATTERN.test(text) ? text : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

export interface OpenLog {
  logger: Logger;
  answers: DestinationStream;
}

const MOST_WAITING_CHARACTERS = 4096;
const MOST_WAITING_MS = 100;

/**
 * Buffers lines of responses for at most 0.1 s, and writes other lines immediately. A kill may lose buffered lines. An
 * exit loses none, because Node writes to files, pipes and terminals before `write` returns (documented for Linux).
 */
export function openLog(level: LogLevel, out: NodeJS.WritableStream = process.stdout): OpenLog {
  let waiting = '';
  let timer: NodeJS.Timeout | null = null;
  const flush = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (waiting === '') return;
    const lines = waiting;
    waiting = '';
    // Writes bytes, because Node takes three times as long for a text joined from hundreds of pieces.
    out.write(Buffer.from(lines));
  };
  // If the reader of the log is gone, the program continues, and shuts down normally.
  out.on('error', () => undefined);
  process.on('exit', flush);
  const answers = {
    write(line: string): void {
      waiting += line;
      if (waiting.length >= MOST_WAITING_CHARACTERS) flush();
      else timer ??= setTimeout(flush, MOST_WAITING_MS).unref();
    },
  };
  const immediately = {
    write(line: string): void {
      waiting += line;
      flush();
    },
  };
  return { logger: pino(logOptions('api', level), immediately), answers };
}
