import type { FastifyRequest } from 'fastify';

/** The prefix of paths that CRMs call. */
const CALLED = '/in/';

/**
 * Reads a call as raw bytes, whatever its content type: its signature is computed over them, and a call with a wrong content type
 * is still a call.
 */
export function takeAsBytes({ headers }: FastifyRequest): void {
  headers['content-type'] = 'application/json';
}

/** Whether a request is a call of a CRM. */
export function isCall(url: string): boolean {
  return url.startsWith(CALLED);
}
