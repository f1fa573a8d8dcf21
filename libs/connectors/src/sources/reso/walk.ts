import { AccessRefused, BadFeed } from '@passerelle/domain';

import type { PagedFetch, SourceClient, SourceConfig, SourceRequest, WalkedPage } from '../../kit/contracts';
import { basicAuthorization, credential, splitUserInfo } from '../../kit/http-access';

export const TOKEN_NAMES = ['token', 'access-token', 'access_token', 'bearer', 'api-key', 'api_key'];
export const CLIENT_ID_NAMES = ['client-id', 'client_id'];
export const CLIENT_SECRET_NAMES = ['client-secret', 'client_secret'];
export const TOKEN_URL_NAMES = ['token-url', 'token_url'];

/** What every provider takes: Bridge answers 400 to more, Trestle and Spark give ten without it. */
const DEFAULT_TOP = '200';
/** What is not the root of a service: the resource, its copy for replication, a document. */
const RESOURCE = /(?:\/propert(?:y|ies)(?:\/replication)?\/?|\.json)$/i;
const NONE = /^(?:0|non|no|none|false|-)$/i;

/** One walk along `@odata.nextLink`; a token first, where the credentials are those of a client. */
export const RESO_WALK: PagedFetch = {
  kind: 'pages',
  async prepare(source, client) {
    const headers = { accept: 'application/json', ...(await authorize(source, client)) };
    return { walks: [{ url: firstAddress(source), headers }], feed: {} };
  },
  next: nextPage,
};

const NEXT_LINKS = ['@odata.nextLink', '@nextLink', 'odata.nextLink'];
/** What of an answer's envelope the walk needs. */
export const ENVELOPE = ['@odata.count', ...NEXT_LINKS];

function nextPage(page: WalkedPage): SourceRequest | undefined {
  const { request, envelope } = page;
  const link = NEXT_LINKS.map((name) => envelope[name]).find(
    (value) => value !== undefined && value !== null && value !== '',
  );
  if (link === undefined) return skippedTo(page);
  if (typeof link !== 'string' || !URL.canParse(link, request.url))
    throw new BadFeed('@odata.nextLink is not an address');
  return following(request, new URL(link, request.url));
}

function following(request: SourceRequest, url: URL): SourceRequest {
  const asked = new URL(request.url);
  // Servers behind a proxy write the scheme that they are spoken to with.
  if (asked.protocol === 'https:' && url.protocol === 'http:' && url.hostname === asked.hostname) {
    url.protocol = 'https:';
    if (url.port === '80') url.port = '';
  }
  if (url.origin === asked.origin) return { ...request, url: url.href };
  // Another origin: the token was not meant for it.
  return { url: url.href, headers: { accept: 'application/json' } };
}

/**
 * Some servers take `$top` for the client's own paging and give no link: when a page is full and more are declared, the
 * next one is asked for.
 */
function skippedTo({ request, records, recordsSoFar, declared }: WalkedPage): SourceRequest | undefined {
  const top = /[?&](?:\$|%24)top=(\d+)/i.exec(request.url)?.[1];
  if (
    top === undefined ||
    records === 0 ||
    records !== Number(top) ||
    declared === undefined ||
    recordsSoFar >= declared
  )
    return undefined;
  const [base = '', query = ''] = request.url.split('?', 2);
  const options = query.split('&').filter((option) => !/^(?:\$|%24)skip=/i.test(option));
  return { ...request, url: `${base}?${[...options, `$skip=${recordsSoFar}`].join('&')}` };
}

/**
 * The first address. A query that the operator wrote is taken as it is, but for settings that were set on purpose;
 * an access token in it is no query.
 */
function firstAddress(source: SourceConfig): string {
  const address = splitUserInfo(source.url).url;
  if (!URL.canParse(address)) throw new AccessRefused('the source URL is not an address');
  const url = new URL(address);
  if (!RESOURCE.test(url.pathname)) url.pathname = `${url.pathname.replace(/\/+$/, '')}/Property`;
  url.hash = '';
  const given = [...url.searchParams.keys()].map((name) => name.toLowerCase());
  const isQuery = given.some((name) => name.startsWith('$'));
  const wanted: [string, string | undefined][] = [
    ['$select', source.settings['select']],
    ['$filter', source.settings['filter']],
    ['$expand', source.settings['expand'] ?? (isQuery ? undefined : 'Media')],
    ['$count', source.settings['count'] ?? (isQuery ? undefined : 'true')],
    ['$top', source.settings['top'] ?? (isQuery ? undefined : DEFAULT_TOP)],
  ];
  const options = wanted
    .filter(
      (option): option is [string, string] =>
        option[1] !== undefined && option[1].trim() !== '' && !NONE.test(option[1].trim()),
    )
    .filter(([name]) => !given.includes(name))
    .map(([name, value]) => `${name}=${encodeURIComponent(name === '$count' ? 'true' : value.trim())}`);
  if (options.length > 0) url.search += `${url.search === '' ? '?' : '&'}${options.join('&')}`;
  return url.href;
}

async function authorize(source: SourceConfig, client: SourceClient): Promise<Record<string, string>> {
  const clientId = credential(source, CLIENT_ID_NAMES);
  const clientSecret = credential(source, CLIENT_SECRET_NAMES);
  if (clientId !== undefined && clientSecret !== undefined) {
    return { authorization: `Bearer ${await loadToken(source, client, clientId, clientSecret)}` };
  }
  const token = credential(source, TOKEN_NAMES);
  if (token !== undefined) return { authorization: `Bearer ${token.replace(/^bearer\s+/i, '')}` };
  const { user, password } = splitUserInfo(source.url);
  return user === undefined ? {} : basicAuthorization(user, password ?? '');
}

/** The client's credentials in the form, as most servers want them; in the header for those that refuse the form. */
async function loadToken(source: SourceConfig, client: SourceClient, id: string, secret: string): Promise<string> {
  const url =
    TOKEN_URL_NAMES.map((name) => source.settings[name]).find((value) => value !== undefined) ??
    credential(source, TOKEN_URL_NAMES);
  if (url === undefined)
    throw new AccessRefused(
      'with `client-id` and `client-secret`, the setting `token-url` says where tokens are given',
    );
  const scope = source.settings['scope'];
  const form = { grant_type: 'client_credentials', ...(scope === undefined || scope === '' ? {} : { scope }) };
  try {
    return tokenOf(await client.getJson(tokenRequest(url, { ...form, client_id: id, client_secret: secret })));
  } catch (error) {
    if (!(error instanceof AccessRefused || error instanceof BadFeed)) throw error;
    return await client.getJson(tokenRequest(url, form, basicAuthorization(id, secret))).then(tokenOf, () => {
      throw error;
    });
  }
}

function tokenRequest(url: string, form: Record<string, string>, headers: Record<string, string> = {}): SourceRequest {
  return {
    url,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json', ...headers },
    body: new URLSearchParams(form).toString(),
  };
}

function tokenOf(answer: unknown): string {
  const token = (answer as { access_token?: unknown } | null)?.access_token;
  if (typeof token !== 'string' || token === '') throw new AccessRefused('the token endpoint gave no access_token');
  return token;
}
