import { AccessRefused, BadFeed, FeedError, isUrl, RetryLater } from '@passerelle/domain';
import { toInteger } from '../../kit/clean/number';
import type { PagedFetch, PreparedRequests, PushedFetch, SourceClient, SourceConfig } from '../../kit/contracts';
import { basePath } from '../../kit/http-access';
import { nextNumberedPage } from '../../kit/page-numbers';
import { listOf, textOf } from '../../kit/values';

const DEFAULT_BASE_URL = 'https://api.propstack.de/v1';
const USUAL_PAGE = 100;
const MOST_PER_PAGE = 500;
const DAY_SECONDS = 24 * 3600;

const REFUSED = 'is the key of the API right, and may it read properties?';

/** The whole list, in the order of the identifiers, because pages overlap without an order. */
const LIST: PagedFetch = {
  kind: 'pages',
  whenRefused: REFUSED,
  prepare(source) {
    const { base, headers } = requestsOf(source);
    const url = new URL(`${base}/units`);
    const limit = Math.min(Math.max(toInteger(source.settings['limit']) ?? USUAL_PAGE, 1), MOST_PER_PAGE);
    const query = { with_meta: '1', expand: '1', per: String(limit), page: '1', sort_by: 'id', order: 'asc' };
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return Promise.resolve({ walks: [{ url: url.href, headers }], feed: {} });
  },
  next: (page) => nextNumberedPage(page, { number: 'page', size: 'per' }),
  compose: ({ body }) => Promise.resolve(plainDocument(parsed(body))),
  savedAnswer(body) {
    const answer = parsed(body);
    // The answer for one property is the property itself.
    return plainDocument(textOf((answer as { id?: unknown } | null)?.id) === undefined ? answer : { data: [answer] });
  },
};

/** A webhook call names one property. The list also contains changes whose call was lost. */
export const PROPSTACK_FETCH: PushedFetch = {
  kind: 'pushed',
  webhook: {
    proof: { kind: 'hmac', header: 'x-propstack-signature', hash: 'sha256', encoding: 'hex', prefix: 'sha256=' },
    event: 'event',
    about: ['property_', 'unit_'],
    ids: ['data.id', 'property_id', 'property.id', 'id'],
  },
  list: LIST,
  compareEverySeconds: DAY_SECONDS,
  whenRefused: REFUSED,
  prepare: (source) => Promise.resolve(requestsOf(source)),
  record: (id, { base, headers }) => ({ url: `${base}/units/${encodeURIComponent(id)}?new=1`, headers }),
  document(answer) {
    const unit = parsed(answer);
    if (textOf((unit as { id?: unknown } | null)?.id) === undefined)
      throw new BadFeed('Propstack answered without a property');
    return plainDocument({ data: [unit] });
  },
  removed: removedSince,
};

function requestsOf(source: SourceConfig): PreparedRequests {
  const address = source.url.trim() === '' ? DEFAULT_BASE_URL : source.url;
  if (!isUrl(address)) throw new AccessRefused('the source URL is not an address');
  const key = source.credentials['api-key'];
  if (key === undefined || key === '') throw new AccessRefused('the credential `api-key` is missing');
  const { origin, pathname } = new URL(address);
  const base = `${origin}${basePath(pathname, 'units')}`;
  return { base, headers: { 'x-api-key': key, accept: 'application/json' }, feed: {} };
}

/** Needs version 2 of the API, which some keys may not use. Without it, the list shows which properties are missing. */
async function removedSince(
  since: Date,
  { base, headers }: PreparedRequests,
  client: SourceClient,
): Promise<{ id: string; at: Date }[]> {
  const url = new URL(`${base.replace(/\/v1$/, '/v2')}/properties/deleted`);
  url.searchParams.set('deleted_at_from', since.toISOString());
  try {
    const answer = await client.getJson({ url: url.href, headers });
    const { data } = (answer ?? {}) as { data?: unknown };
    return listOf(Array.isArray(answer) ? answer : data).flatMap((one) => {
      const { id, deleted_at: at } = (one ?? {}) as { id?: unknown; deleted_at?: unknown };
      const [name, time] = [textOf(id), Date.parse(textOf(at) ?? '')];
      return name === undefined || Number.isNaN(time) ? [] : [{ id: name, at: new Date(time) }];
    });
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    // Often a key may not use version 2. This is normal, so only an unavailable API gives a warning.
    if (error instanceof RetryLater) client.warn('extra_request_failed', 'properties/deleted', 'unavailable');
    return [];
  }
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    throw new BadFeed('Propstack did not answer with JSON');
  }
}

/** Most members are `{"label": …, "value": …}`: only the value is kept. */
function plainDocument(document: unknown): Buffer {
  return Buffer.from(JSON.stringify(document, (_name, member: unknown) => valueOf(member)));
}

function valueOf(member: unknown): unknown {
  if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
  const names = Object.keys(member);
  return names.length === 2 && names.includes('label') && names.includes('value')
    ? (member as { value: unknown }).value
    : member;
}
