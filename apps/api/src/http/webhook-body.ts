import type { FastifyRequest } from 'fastify';

const INBOUND_PREFIX = '/in/';

/** The signature covers the raw bytes, and a webhook with a wrong content type is still accepted. */
export function readAsBytes({ headers }: FastifyRequest): void {
  headers['content-type'] = 'application/json';
}

export function isInboundWebhook(url: string): boolean {
  return url.startsWith(INBOUND_PREFIX);
}
