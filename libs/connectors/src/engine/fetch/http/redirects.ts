import { AccessRefused, BadFeed, isUrl } from '@passerelle/domain';
import type { SourceRequest } from '../../../kit/contracts';
import { removeParameter } from '../../../kit/http-access';

/** The validators of a previous answer, for a conditional request. */
export interface Conditions {
  etag?: string | undefined;
  lastModified?: string | undefined;
}

/** One request in a chain of redirects. */
export interface Hop {
  url: URL;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
  secretParameter: string | undefined;
}

// Headers that another origin may get. All others, above all Authorization, are only for the requested origin.
const TRAVELLING_HEADERS: ReadonlySet<string> = new Set(['user-agent', 'accept', 'accept-encoding', 'accept-language']);

/** @throws AccessRefused when the address is not http or https. */
export function firstHop(request: SourceRequest, conditions: Conditions, shown: string): Hop {
  const url = isUrl(request.url) ? new URL(request.url) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new AccessRefused(`${shown} is not an http, https or file address`);
  }
  const headers: Record<string, string> = { 'user-agent': 'Passerelle', accept: '*/*' };
  for (const [name, value] of Object.entries(request.headers ?? {})) headers[name.toLowerCase()] = value;
  headers['accept-encoding'] = 'gzip, deflate, br';
  if (conditions.etag !== undefined) headers['if-none-match'] = conditions.etag;
  if (conditions.lastModified !== undefined) headers['if-modified-since'] = conditions.lastModified;
  if (url.username !== '' || url.password !== '') {
    const login = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    headers['authorization'] ??= `Basic ${Buffer.from(login).toString('base64')}`;
    url.username = '';
    url.password = '';
  }
  const { method = 'GET', body, secretParameter } = request;
  return { url, method, headers, body, secretParameter };
}

/**
 * The request that follows a redirect. It sends no possible secret to another origin.
 * @throws BadFeed when the target is not an address; AccessRefused when the redirect drops encryption or would send a
 * body to another origin.
 */
export function nextHop(hop: Hop, status: number, location: string, shown: string): Hop {
  if (!isUrl(location, hop.url.href)) throw new BadFeed(`${shown} redirects to something that is not an address`);
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
  // Servers that redirect every client often copy the whole query into the new address, including the credential.
  if (!isSameOrigin && hop.secretParameter !== undefined) removeParameter(url, hop.secretParameter);
  const headers = Object.entries(hop.headers).filter(([name]) => {
    if (name.startsWith('content-') && body === undefined) return false;
    return isSameOrigin || TRAVELLING_HEADERS.has(name);
  });
  return { ...hop, url, method: keepsMethod ? hop.method : 'GET', headers: Object.fromEntries(headers), body };
}
