import type { IncomingHttpHeaders } from 'node:http';

const BEARER = /^bearer +(\S.*)$/i;

/**
 * The API key in a request's headers: `Key`, else `Authorization: Bearer`, else `X-Listings-Key`. The first that is there
 * counts, right or wrong. An empty header counts as absent, and so does an `Authorization` of another scheme, which may
 * be meant for a proxy.
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
