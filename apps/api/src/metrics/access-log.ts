import { maskPath, SLUG_PATTERN } from '@passerelle/domain';
import type { FastifyRequest } from 'fastify';
import { type LogLevel, logOptions, timeOfLine } from '@passerelle/settings';
import pino, { type DestinationStream, type Logger } from 'pino';
import { CountedLine } from '@passerelle/limits';

/** What a request is about. */
export interface RequestDetails {
  method: string;
  /** As `shownPathOf` says it: no secret. */
  path: string;
  /** The gateway that it names; it need not be there. */
  crm?: string | undefined;
  client?: string | undefined;
}

/** The same, ready for lines of the log: that of a page from memory is used again and again. */
export class LoggedRequest {
  /** Members of a JSON object. */
  readonly members: string;

  constructor(readonly details: RequestDetails) {
    const { path } = details;
    this.members = JSON.stringify({ ...details, path: path.slice(0, MOST_PATH_CHARACTERS) }).slice(1, -1);
  }
}

/** An answer that is over. */
export interface Answered {
  /** Of its request; well-formed. */
  id: string;
  /** `aborted` when the reader left before its end. */
  status: number | 'aborted';
  /** As `X-Cache` says it; null for answers that come from no snapshot. */
  cache: 'hit' | 'miss' | 'none';
  ms: number;
  /** Sent, headers included; compressed where the answer is. */
  bytes: number;
}

/** An answer to what the HTTP parser refused. */
export interface RefusedRequest {
  requestId: string;
  /** At the other end of the connection. */
  address: string;
  /** As Node calls it. */
  fault: string;
  status: number;
}

const INFO = pino.levels.values['info'];
const MOST_PATH_CHARACTERS = 300;
/** A sender of what is no HTTP can send a lot of it. */
const MOST_REFUSED_A_SECOND = 10;

/**
 * One line for each answer. Of the query, in which somebody may have put a key, it has the gateway's name only. The lines
 * are as pino writes them, and put together here: pino takes as long for one as all the rest of a page from memory does.
 */
export class AccessLog {
  private refusedSecond = 0;
  private refusedLines = 0;
  private readonly unlogged: CountedLine;
  private readonly bindings: string;

  /** @param stream where the lines go; beside those of the logger */
  constructor(
    private readonly logger: Logger,
    private readonly stream: DestinationStream,
  ) {
    this.unlogged = new CountedLine((count) => {
      logger.warn({ count }, 'answers to what is no HTTP have no line of their own');
    });
    this.bindings = JSON.stringify(logger.bindings()).slice(1, -1);
  }

  write({ members }: LoggedRequest, { id, status, cache, ms, bytes }: Answered): void {
    const start = `{"level":${INFO}${timeOfLine()},${this.bindings},"requestId":"${id}",${members}`;
    const figures = `"ms":${Math.round(ms * 100) / 100},"bytes":${bytes},"cache":"${cache}"`;
    this.stream.write(`${start},"status":${JSON.stringify(status)},${figures},"msg":"answered"}\n`);
  }

  /** A few a second have a line; the others are counted. */
  writeRefused(answer: RefusedRequest): void {
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.refusedSecond) this.refusedLines = 0;
    this.refusedSecond = second;
    this.refusedLines += 1;
    if (this.refusedLines <= MOST_REFUSED_A_SECOND) this.logger.info(answer, 'answered');
    else this.unlogged.note();
  }
}

/** What a request that has reached Fastify is about. */
export function loggedRequestOf(request: FastifyRequest): LoggedRequest {
  return new LoggedRequest({ method: request.method, path: shownPathOf(request), ...gatewayOf(request) });
}

/** Of a path that only this parameter tells from its route, the value may be shown: an identifier of a listing or a webhook. */
const SHOWN_PARAMETER = ':id';
/** Words of our own routes that `maskPath` does not know. */
const OWN_WORDS: readonly string[] = [
  ...['changes', 'connectors', 'health', 'history', 'kyero.xml', 'leads', 'manifest', 'metrics', 'openapi.json'],
  ...['ready', 'report', 'status', 'webhooks'],
];

/**
 * The path of a request as logs may show it, without its query. A path with a secret (`/in/TOKEN`, `/media/NAME`) is shown as its
 * route. Of a path without a route, for example one with a typing error around a secret, only usual words are shown.
 */
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

/** A program's log, and where the lines of its answers go. */
export interface OpenLog {
  logger: Logger;
  answers: DestinationStream;
}

const MOST_WAITING_CHARACTERS = 4096;
const MOST_WAITING_MS = 100;

/**
 * The log of the process on its standard output. Lines of answers wait for others, a tenth of a second at most: a process
 * that is killed loses no more than these. Whatever else is logged is written at once, behind what waits. Node writes to
 * files, pipes and terminals before `write` returns (documented for Linux), so nothing is lost at an exit either.
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
    out.write(lines);
  };
  // The reader of the log may be gone: the program goes on, and ends as it is told.
  out.on('error', () => undefined);
  process.on('exit', flush);
  const answers = {
    write(line: string): void {
      waiting += line;
      if (waiting.length >= MOST_WAITING_CHARACTERS) flush();
      else timer ??= setTimeout(flush, MOST_WAITING_MS).unref();
    },
  };
  const atOnce = {
    write(line: string): void {
      waiting += line;
      flush();
    },
  };
  return { logger: pino(logOptions('api', level), atOnce), answers };
}
