import { AccessRefused, BadFeed, RetryLater, isUrl, trimEndOf } from '@passerelle/domain';
import type { JsonRecord } from '../../formats/json-records';
import { plainLine } from '../../kit/clean/plain-text';
import type {
  PagedFetch,
  RecordContext,
  SourceClient,
  SourceConfig,
  SourceRequest,
  WalkedPage,
} from '../../kit/contracts';
import { basicAuthorization, credential, splitUserInfo } from '../../kit/http-access';
import { listOf, textOf } from '../../kit/values';

const DEFAULT_BASE_URL = 'https://api.apimo.pro';
/** The largest page that the API accepts. */
const MOST_PER_PAGE = 1_000;
const USER_NAMES = ['provider', 'provider_id', 'provider-id', 'username', 'user', 'login'];
const PASSWORD_NAMES = ['token', 'password', 'api_key', 'api-key', 'key', 'secret'];

interface Target {
  /** Without a slash at the end. */
  base: string;
  /** Query parameters from the operator's address; every page request contains them. */
  query: URLSearchParams;
  agencies: string[];
  headers: Readonly<Record<string, string>>;
  limit: number;
}

/** The account of the request quota: the provider. */
export function providerOf(source: SourceConfig): string | undefined {
  return credential(source, USER_NAMES) ?? splitUserInfo(source.url).user;
}

/** One walk per agency, page by page with `limit` and `offset`. */
export const APIMO_WALK: PagedFetch = {
  kind: 'pages',
  async prepare(source, client) {
    const target = readTarget(source);
    const agencies = await loadAgencies(target, client);
    const asked = target.agencies.length > 0 ? target.agencies : Object.keys(agencies);
    if (asked.length === 0)
      throw new AccessRefused('the API shows no agency to this provider: set `agency`, or check its rights');
    return { walks: asked.map((agency) => firstPage(target, agency)), feed: { agencies } };
  },
  next: nextPage,
};

/**
 * An empty page is the last one. So is a page that is not full if the API declares no more records; otherwise the
 * server uses smaller pages.
 */
function nextPage({ request, records, recordsSoFar, resumeAt, declared = 0 }: WalkedPage): SourceRequest | undefined {
  if (records === 0 || (records < limitOf(request) && recordsSoFar >= declared)) return undefined;
  const url = new URL(request.url);
  url.searchParams.set('offset', String(resumeAt));
  return { ...request, url: url.href, overlaps: 1 };
}

function limitOf(request: SourceRequest): number {
  return Number(new URL(request.url).searchParams.get('limit') ?? MOST_PER_PAGE);
}

function firstPage(target: Target, agency: string): SourceRequest {
  const url = new URL(`${target.base}/agencies/${encodeURIComponent(agency)}/properties`);
  for (const [name, value] of target.query) url.searchParams.set(name, value);
  url.searchParams.set('limit', String(target.limit));
  url.searchParams.set('offset', '0');
  return { url: url.href, headers: target.headers };
}

/** If this fails, the walk continues with a warning, unless it needs the list of agencies or the API answers 401. */
async function loadAgencies(target: Target, client: SourceClient): Promise<Agencies> {
  try {
    const agencies: Record<string, Agency> = {};
    for (let isLast = false; !isLast;) {
      const known = Object.keys(agencies).length;
      const url = `${target.base}/agencies?limit=${MOST_PER_PAGE}&offset=${known}`;
      const answer = await client.getJson({ url, headers: target.headers });
      Object.assign(agencies, readAgencies(answer));
      isLast = isLastOfAgencies(answer, known, Object.keys(agencies).length);
    }
    return agencies;
  } catch (error) {
    if (target.agencies.length === 0 || (error instanceof AccessRefused && /\b401\b/.test(error.message))) throw error;
    client.warn('extra_request_failed', 'agencies', error instanceof RetryLater ? 'unavailable' : 'refused');
    return {};
  }
}

/** @throws AccessRefused when the source's address is not valid. */
export function readTarget(source: SourceConfig): Target {
  const access = splitUserInfo(source.url);
  const address = access.url === '' ? DEFAULT_BASE_URL : access.url;
  if (!isUrl(address)) throw new AccessRefused('the source URL is not an address');
  const url = new URL(address);
  const path = /^(.*?)\/agencies(?:\/([^/]+))?(?:\/properties)?\/?$/.exec(url.pathname);
  const fromPath = path?.[2];
  const named = source.settings['agency'] ?? source.settings['agence'] ?? fromPath ?? '';
  const user = providerOf(source);
  const password = credential(source, PASSWORD_NAMES) ?? access.password;
  const limit = Number(source.settings['limit'] ?? url.searchParams.get('limit') ?? MOST_PER_PAGE);
  // With a timestamp the API lists only changes, so all other listings would look withdrawn.
  for (const own of ['limit', 'offset', 'timestamp']) url.searchParams.delete(own);
  return {
    base: `${url.origin}${trimEndOf(path?.[1] ?? url.pathname, '/')}`,
    query: url.searchParams,
    agencies: named.split(/[\s,;]+/).filter((agency) => agency !== ''),
    headers: user === undefined && password === undefined ? {} : basicAuthorization(user ?? '', password ?? ''),
    limit: Number.isInteger(limit) && limit >= 1 && limit <= MOST_PER_PAGE ? limit : MOST_PER_PAGE,
  };
}

export interface Agency {
  id: string;
  name?: string;
  phone?: string;
}

/** Agencies by id, as plain data. When this data changes, the engine maps the records again. */
export type Agencies = Readonly<Record<string, Agency>>;

/**
 * Pages may be smaller than requested. @throws BadFeed when agencies are missing, because their listings would look
 * withdrawn.
 */
function isLastOfAgencies(answer: unknown, knownBefore: number, known: number): boolean {
  const total = totalOf(answer);
  if (known > knownBefore) return known - knownBefore < MOST_PER_PAGE && total !== undefined && known >= total;
  if (total === undefined || known >= total) return true;
  throw new BadFeed(`the API declares ${total} agencies and gave ${known}`);
}

function totalOf(answer: unknown): number | undefined {
  const total = (answer as { total_items?: unknown } | null)?.total_items;
  return typeof total === 'number' ? total : undefined;
}

function readAgencies(answer: unknown): Agencies {
  const list = Array.isArray(answer) ? answer : listOf((answer as { agencies?: unknown } | null)?.agencies);
  const agencies: Record<string, Agency> = {};
  for (const one of list) {
    const { id: given, name: givenName, phone: givenPhone } = (one ?? {}) as Readonly<Record<string, unknown>>;
    const id = textOf(given);
    if (id === undefined) continue;
    const name = plainLine(textOf(givenName));
    const phone = plainLine(textOf(givenPhone));
    agencies[id] = { id, ...(name === undefined ? {} : { name }), ...(phone === undefined ? {} : { phone }) };
  }
  return agencies;
}

export function agencyOf(record: JsonRecord, context: RecordContext): Agency | undefined {
  const id = textOf(record['agency']);
  return id === undefined ? undefined : (context.feed['agencies'] as Agencies | undefined)?.[id];
}
