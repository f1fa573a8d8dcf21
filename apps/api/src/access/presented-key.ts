import type { IncomingHttpHeaders } from 'node:http';

const BEARER = /^bearer +(\S.*)$/i;

/**
 * The API key of a request: `Key`, else `Authorization: Bearer`, else `X-Listings-Key`. The first that is present counts,
 * right or wrong. An empty header is absent, and so is an `Authorization` of another scheme: it may be meant for a proxy.
 */
export function presentedKey(headers: IncomingHttpHeaders): string | null {
  return text(headers['key']) ?? bearer(headers.authorization) ?? text(headers['x-listings-key']);
}

function bearer(authorization: string | undefined): string | null {
  return BEARER.exec(authorization ?? '')?.[1] ?? null;
}

function text(header: string | string[] | undefined): string | null {
  return typeof header === 'string' && header !== '' ? header : null;
}
