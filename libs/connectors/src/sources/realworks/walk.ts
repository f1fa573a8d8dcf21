import { AccessRefused, BadFeed, isUrl } from '@passerelle/domain';
import { toInteger } from '../../kit/clean/number';
import type { PagedFetch, SourceConfig, SourceRequest, WalkedPage } from '../../kit/contracts';
import { basePath, credential } from '../../kit/http-access';
import { compilePath, textOf } from '../../kit/values';

const DEFAULT_BASE_URL = 'https://api.realworks.nl';
const OBJECTS = '/wonen/v3/objecten';
/** The largest page that the API accepts. */
const MOST_PER_PAGE = 100;

const linkAt = compilePath('paginering.volgende');

/** One walk through the active dwellings, along `paginering.volgende`. */
export const REALWORKS_WALK: PagedFetch = {
  kind: 'pages',
  prepare(source) {
    const url = firstPage(source);
    const token =
      credential(source, ['token'])
        ?.replace(/^rwauth\s+/i, '')
        .trim() ?? '';
    if (token === '') return Promise.reject(new AccessRefused('the credential `token` is missing'));
    if (/[^\x21-\x7e]/.test(token)) return Promise.reject(new AccessRefused('the credential `token` is no token'));
    const headers = { accept: 'application/json', authorization: `rwauth ${token}` };
    return Promise.resolve({ walks: [{ url, headers }], feed: {} });
  },
  whenRefused: 'Realworks does not know the token, or does not let it in from the address of this machine',
  next: nextPage,
  overlapping: fromLastRecord,
};

/** @throws AccessRefused */
function firstPage({ url: given, settings }: SourceConfig): string {
  const address = given.trim() === '' ? DEFAULT_BASE_URL : given;
  if (!isUrl(address)) throw new AccessRefused('the source URL is not an address');
  const { origin, pathname } = new URL(address);
  const url = new URL(`${origin}${basePath(pathname, 'wonen/v3/objecten', 'wonen/v3', 'wonen')}${OBJECTS}`);
  const limit = toInteger(settings['limit']) ?? MOST_PER_PAGE;
  url.searchParams.set('actief', 'true');
  url.searchParams.set('aantal', String(Math.min(Math.max(limit, 1), MOST_PER_PAGE)));
  return url.href;
}

/** Changes a link that skips all records received so far, so that it starts at the last of these records. */
function fromLastRecord(next: SourceRequest, { records, recordsSoFar, resumeAt }: WalkedPage): SourceRequest {
  const url = new URL(next.url);
  if (records < 2 || url.searchParams.get('vanaf') !== String(recordsSoFar)) return next;
  url.searchParams.set('vanaf', String(resumeAt));
  return { ...next, url: url.href, overlaps: 1 };
}

/** Only the host of the first request may receive the token. */
function nextPage({ request, records, recordsSoFar, declared, envelope }: WalkedPage): SourceRequest | undefined {
  const link = textOf(linkAt(envelope));
  if (link === undefined) {
    const asked = Number(new URL(request.url).searchParams.get('aantal'));
    if (records >= asked && declared !== recordsSoFar)
      throw new BadFeed('a full page has no link to a next page, and the total does not show that it was the last');
    return undefined;
  }
  if (!isUrl(link, request.url)) throw new BadFeed('`volgende` is not an address');
  const url = new URL(link, request.url);
  if (url.origin !== new URL(request.url).origin) throw new BadFeed('`volgende` leads to another host');
  const { headers } = request;
  return { url: url.href, ...(headers !== undefined && { headers }) };
}
