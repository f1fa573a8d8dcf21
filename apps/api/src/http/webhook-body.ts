import type { FastifyRequest } from 'fastify';

/** The prefix of the paths of inbound webhooks. */
const INBOUND_PREFIX = '/in/';

/**
 * Reads an inbound webhook as raw bytes, whatever its content type: its signature is computed over them, and one with a wrong
 * content type is still accepted.
 */
export function readAsBytes({ headers }: FastifyRequest): void {
  headers['content-type'] = 'application/json';
}

/** Whether a request is an inbound webhook. */
export function isInboundWebhook(url: string): boolean {
  return url.startsWith(INBOUND_PREFIX);
}
