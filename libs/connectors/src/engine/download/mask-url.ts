import { isUrl } from '@passerelle/domain';
// Names that APIs give to parameters that select a part of a list.
const HARMLESS_PARAMETERS: ReadonlySet<string> = new Set([
  'limit',
  'offset',
  'page',
  'per_page',
  'page_size',
  'pagesize',
  'size',
  'start',
  'count',
  'culture',
  'lang',
  'timestamp',
  '$top',
  '$skip',
  '$count',
  '$orderby',
  '$select',
  '$expand',
]);
const MASK = '***';

/**
 * A URL as it may be shown in messages and logs: without user name, password, fragment and the values of query
 * parameters, but for those that only page through a list; path segments that are one of `secrets` are hidden too.
 * Of text that is not a URL, only the scheme is shown.
 */
export function maskUrl(url: string, secrets: Iterable<string> = []): string {
  if (!isUrl(url)) return `${/^[a-z][a-z0-9+.-]*:/i.exec(url)?.[0] ?? ''}${MASK}`;
  const parsed = new URL(url);
  const hidden = new Set([...secrets].filter((secret) => secret !== ''));
  const path = parsed.pathname
    .split('/')
    .map((segment) => (hidden.has(segment) || hidden.has(decoded(segment)) ? MASK : segment))
    .join('/');
  const query = [...parsed.searchParams]
    .map(
      ([name, value]) => `${name}=${HARMLESS_PARAMETERS.has(name.toLowerCase()) && !hidden.has(value) ? value : MASK}`,
    )
    .join('&');
  const user = parsed.username !== '' || parsed.password !== '' ? `${MASK}@` : '';
  // A file: URL without slashes is relative to the inbox: it is shown as it was written.
  const start =
    url.startsWith('file:') && !url.startsWith('file:/') ? 'file:' : `${parsed.protocol}//${user}${parsed.host}`;
  return `${start}${start === 'file:' ? path.slice(1) : path}${query === '' ? '' : `?${query}`}`;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
