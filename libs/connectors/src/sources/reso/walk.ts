import { AccessRefused, BadFeed, isUrl, trimEndOf } from '@passerelle/domain';

import type { PagedFetch, SourceClient, SourceConfig, SourceRequest, WalkedPage } from '../../kit/contracts';
import { basicAuthorization, credential, splitUserInfo } from '../../kit/http-access';
import { toFlag } from '../../kit/clean/fold-word';
import { KEY_ORDER, nextLinkOf, topOf } from './key-order';

export const TOKEN_NAMES = ['token', 'access-token', 'access_token', 'bearer', 'api-key', 'api_key'];
export const CLIENT_ID_NAMES = ['client-id', 'client_id'];
export const CLIENT_SECRET_NAMES = ['client-secret', 'client_secret'];
export const TOKEN_URL_NAMES = ['token-url', 'token_url'];

/**
 * The default `$top`, which every provider accepts. Bridge answers 400 to a larger value; Trestle and Spark give ten
 * records without `$top`.
 */
const DEFAULT_TOP = '200';
/** Addresses that are not the root of a service: the resource, its copy for replication, a document. */
const RESOURCE = /(?:\/propert(?:y|ies)(?:\/replication)?\/?|\.json)$/i;
/** The copy of the resource for replication, whose links do not shift. */
const REPLICATION = /\/replication\/?$/i;
const SKIP = /(?<=[?&](?:\$|%24)skip=)\d+(?=&|$)/i;
const NONE = /^(?:0|non|no|none|false|-)$/i;

const TOKEN_PARAMETER =
  /^(?:(?:access|api|auth|server|user|subscription|ocp-apim-subscription)[-_]?)?(?:token|key)$|^bearer$/i;

/** Walks through the list by ranges of the key if the server supports it, else along `@odata.nextLink`. */
export const RESO_WALK: PagedFetch = {
  kind: 'pages',
  async prepare(source, client) {
    const headers = { accept: 'application/json', ...(await authorize(source, client)) };
    const url = firstAddress(source);
    const secretParameter = tokenParameterOf(url);
    return {
      walks: [{ url, headers, ...(secretParameter !== undefined && { secretParameter }) }],
      feed: {},
      hasStablePages: toFlag(source.settings['stable-pages']) ?? REPLICATION.test(new URL(url).pathname),
    };
  },
  next: nextPage,
  overlapping: skippingOneLess,
  keyOrder: KEY_ORDER,
};

function nextPage(page: WalkedPage): SourceRequest | undefined {
  const link = nextLinkOf(page);
  if (link === undefined) return skippedTo(page);
  if (typeof link !== 'string' || !isUrl(link, page.request.url))
    throw new BadFeed('@odata.nextLink is not an address');
  return following(page.request, new URL(link, page.request.url));
}

function following(request: SourceRequest, url: URL): SourceRequest {
  const asked = new URL(request.url);
  // Servers behind a proxy write links with the scheme that the proxy uses to reach them, which may be http instead of
  // https.
  if (asked.protocol === 'https:' && url.protocol === 'http:' && url.hostname === asked.hostname) {
    url.protocol = 'https:';
    if (url.port === '80') url.port = '';
  }
  if (url.origin === asked.origin) {
    const { headers, secretParameter } = request;
    return {
      url: withTokenOf(asked, url),
      ...(headers !== undefined && { headers }),
      ...(secretParameter !== undefined && { secretParameter }),
    };
  }
  // Another origin must not receive the token.
  return { url: url.href, headers: { accept: 'application/json' } };
}

/** Servers that take the token as a parameter do not always repeat it in the link. */
function withTokenOf(asked: URL, link: URL): string {
  const name = tokenParameterOf(asked.href);
  if (name === undefined || link.searchParams.has(name)) return link.href;
  // `searchParams` would encode the link's own parameters again.
  link.search += `${link.search === '' ? '?' : '&'}${name}=${encodeURIComponent(asked.searchParams.get(name) ?? '')}`;
  return link.href;
}

function tokenParameterOf(url: string): string | undefined {
  return [...new URL(url).searchParams.keys()].find((name) => TOKEN_PARAMETER.test(name));
}

/** Changes a link that skips all records received so far, so that it starts at the last of these records. */
function skippingOneLess(next: SourceRequest, { records, recordsSoFar, resumeAt }: WalkedPage): SourceRequest {
  // If a page has one record, the next page would only return that record again.
  if (records < 2 || Number(SKIP.exec(next.url)?.[0]) !== recordsSoFar) return next;
  return { ...next, url: next.url.replace(SKIP, String(resumeAt)), overlaps: 1 };
}

/** Some servers give no link after a full page, and expect the client to calculate `$skip` itself. */
function skippedTo({ request, records, recordsSoFar, resumeAt }: WalkedPage): SourceRequest | undefined {
  if (records === 0 || records !== topOf(request)) return undefined;
  const [base = '', query = ''] = request.url.split('?', 2);
  const options = query.split('&').filter((option) => !/^(?:\$|%24)skip=/i.test(option));
  const skip = `$skip=${records < 2 ? recordsSoFar : resumeAt}`;
  const next: SourceRequest = { ...request, url: `${base}?${[...options, skip].join('&')}`, overlaps: 1 };
  if (records < 2) delete next.overlaps;
  return next;
}

/**
 * The operator's query stays; explicit settings only add options that it lacks. An access token does not count as a
 * query.
 */
function firstAddress(source: SourceConfig): string {
  const address = splitUserInfo(source.url).url;
  if (!isUrl(address)) throw new AccessRefused('the source URL is not an address');
  const url = new URL(address);
  if (!RESOURCE.test(url.pathname)) url.pathname = `${trimEndOf(url.pathname, '/')}/Property`;
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

/** Sends the client's credentials in the form, as most servers want; if the server refuses the form, in the header. */
async function loadToken(source: SourceConfig, client: SourceClient, id: string, secret: string): Promise<string> {
  const url =
    TOKEN_URL_NAMES.map((name) => source.settings[name]).find((value) => value !== undefined) ??
    credential(source, TOKEN_URL_NAMES);
  if (url === undefined)
    throw new AccessRefused(
      'the setting `token-url` is missing: with `client-id` and `client-secret` it is the address of the token endpoint',
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
