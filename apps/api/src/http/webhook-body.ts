import type { FastifyRequest } from 'fastify';

const INBOUND_PREFIX = '/in/';

/** Reads raw bytes, because the signature covers them. Accepts a webhook even with a wrong content type. */
export function readAsBytes({ headers }: FastifyRequest): void {
  headers['content-type'] = 'application/json';
}

export function isInboundWebhook(url: string): boolean {
  return url.startsWith(INBOUND_PREFIX);
}
