import { AccessRefused, isUrl, trimEndOf } from '@passerelle/domain';
import type { PagedFetch, SourceConfig, SourceRequest, WalkedPage } from '../../kit/contracts';
import { credential } from '../../kit/http-access';
import { toInteger } from '../../kit/clean/number';

export const KEY_NAMES = ['api-key', 'api_key', 'key', 'token', 'x-netty-api-key'];
const DEFAULT_BASE_URL = 'https://webapi.netty.fr/apiv1';
/** The largest page that the API accepts. */
const MOST_PER_PAGE = 100;

/** One walk through `/products`, in the order of the references. */
export const NETTY_WALK: PagedFetch = {
  kind: 'pages',
  prepare: (source) => Promise.resolve({ walks: [firstPage(source)], feed: {} }),
  next: nextPage,
};

/** @throws AccessRefused */
function firstPage(source: SourceConfig): SourceRequest {
  const address = source.url.trim() === '' ? DEFAULT_BASE_URL : source.url;
  if (!isUrl(address)) throw new AccessRefused('the source URL is not an address');
  const key = credential(source, KEY_NAMES);
  if (key === undefined) throw new AccessRefused('the credential `api-key` is missing');
  const url = new URL(address);
  if (!/\/products\/?$/.test(url.pathname)) url.pathname = `${trimEndOf(url.pathname, '/')}/products`;
  const limit = toInteger(source.settings['limit'] ?? url.searchParams.get('limit')) ?? MOST_PER_PAGE;
  const filters = source.settings['filters'] ?? url.searchParams.get('filters') ?? '';
  const wanted: [string, string][] = [
    ['relations', url.searchParams.get('relations') ?? 'linked_user_id'],
    ['sort', 'product_ref:asc'],
    ['filters', filters],
    ['limit', String(Math.min(Math.max(limit, 1), MOST_PER_PAGE))],
    ['offset', '0'],
  ];
  for (const [name, value] of wanted) {
    if (value === '') url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return { url: url.href, headers: { accept: 'application/json', 'x-netty-api-key': key } };
}

/** The last page is empty, or not full while `count`, which may be the size of the whole list, shows no more. */
function nextPage({ request, records, recordsSoFar, resumeAt, envelope }: WalkedPage): SourceRequest | undefined {
  const url = new URL(request.url);
  const isFull = records >= Number(url.searchParams.get('limit'));
  const counted = toInteger(envelope['count']) ?? 0;
  if (records === 0 || (!isFull && counted <= recordsSoFar)) return undefined;
  url.searchParams.set('offset', String(resumeAt));
  return { ...request, url: url.href, overlaps: 1 };
}
