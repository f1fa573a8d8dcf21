import { AccessRefused, BadFeed } from '@passerelle/domain';

/** One request of a chain of redirects. */
export interface Hop {
  url: URL;
  method: 'GET' | 'POST';
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
}

// What may be known to another origin. Everything else, Authorization first, was meant for the one that was asked.
const TRAVELLING_HEADERS: ReadonlySet<string> = new Set(['user-agent', 'accept', 'accept-encoding', 'accept-language']);

/**
 * The request that a redirect asks for. To another origin nothing goes that could be a secret.
 *
 * @throws BadFeed when the target is not an address; AccessRefused when it would lose encryption or carry a body away.
 */
export function nextHop(hop: Hop, status: number, location: string, shown: string): Hop {
  if (!URL.canParse(location, hop.url.href))
    throw new BadFeed(`${shown} redirects to something that is not an address`);
  const url = new URL(location, hop.url);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new AccessRefused(`${shown} redirects to an address that is not http or https`);
  }
  if (hop.url.protocol === 'https:' && url.protocol === 'http:') {
    throw new AccessRefused(`${shown} redirects from https to http`);
  }
  url.username = '';
  url.password = '';
  const keepsMethod = status === 307 || status === 308;
  const body = keepsMethod ? hop.body : undefined;
  const isSameOrigin = url.origin === hop.url.origin;
  if (!isSameOrigin && body !== undefined) throw new AccessRefused(`${shown} redirects a POST to another origin`);
  const headers = Object.entries(hop.headers).filter(([name]) => {
    if (name.startsWith('content-') && body === undefined) return false;
    return isSameOrigin || TRAVELLING_HEADERS.has(name);
  });
  return { url, method: keepsMethod ? hop.method : 'GET', headers: Object.fromEntries(headers), body };
}
