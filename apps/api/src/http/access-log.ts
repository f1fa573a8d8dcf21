import { SLUG_PATTERN } from '@passerelle/domain';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';

/** A request, as far as its line tells of it. */
export interface Asked {
  id: string;
  method: string;
  /** Without the query. */
  path: string;
  /** The gateway that it names; it need not be there. */
  crm?: string | undefined;
  client?: string | undefined;
}

/** An answer that is over. */
export interface Answered {
  /** `aborted` when the reader left before its end. */
  status: number | 'aborted';
  /** As `X-Cache` says it; null for answers that come from no snapshot. */
  cache: 'hit' | 'miss' | 'none';
  ms: number;
  /** Sent, headers included; compressed where the answer is. */
  bytes: number;
}

const MOST_PATH_CHARACTERS = 300;

/** One line for each answer. Of the query, in which somebody may have put a key, it has the gateway's name only. */
export class AccessLog {
  constructor(private readonly logger: Logger) {}

  write({ id: requestId, method, path: whole, crm, client }: Asked, { status, cache, ms, bytes }: Answered): void {
    const path = whole.slice(0, MOST_PATH_CHARACTERS);
    const times = { ms: Math.round(ms * 100) / 100, bytes, cache };
    this.logger.info({ requestId, method, path, crm, client, status, ...times }, 'answered');
  }
}

/** What a request says that reached Fastify. */
export function askedOf(request: FastifyRequest): Asked {
  return { id: request.id, method: request.method, path: pathOf(request), ...gatewayOf(request) };
}

/** The address without its query. */
export function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '';
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
