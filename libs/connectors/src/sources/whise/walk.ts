import { AccessRefused, isUrl } from '@passerelle/domain';
import { toInteger } from '../../kit/clean/number';
import type { PagedFetch, SourceClient, SourceConfig, SourceRequest, WalkedPage } from '../../kit/contracts';
import { basePath, credential } from '../../kit/http-access';

export const USER_NAMES = ['username', 'user'];
export const PASSWORD_NAMES = ['password'];
export const CLIENT_TOKEN_NAMES = ['token', 'client-token'];
const DEFAULT_BASE_URL = 'https://api.whise.eu';
const MOST_PER_PAGE = 100;
const ACTIVE = '1';

/** One walk through the estates of a client. Every request is a POST with JSON; the page is in its body. */
export const WHISE_WALK: PagedFetch = {
  kind: 'pages',
  async prepare(source, client) {
    const base = baseOf(source);
    const token = await clientToken(source, base, client);
    const body = firstBody(source);
    return { walks: [post(`${base}/v1/estates/list`, body, token)], feed: {} };
  },
  next: nextPage,
};

interface ListBody {
  Filter: { StatusIds: number[]; LanguageId: string; ShowDetails: boolean; ShowRepresentatives: boolean };
  Page: { Limit: number; Offset: number };
}

function baseOf({ url }: SourceConfig): string {
  const address = url.trim() === '' ? DEFAULT_BASE_URL : url;
  if (!isUrl(address)) throw new AccessRefused('the source URL is not an address');
  const { origin, pathname } = new URL(address);
  return `${origin}${basePath(pathname, 'v1/estates/list', 'v1/estates', 'v1')}`;
}

/** Exchanges the account's token for the client's token; both expire after a day. @throws AccessRefused */
async function clientToken(source: SourceConfig, base: string, client: SourceClient): Promise<string> {
  const given = credential(source, CLIENT_TOKEN_NAMES);
  if (given !== undefined) return given.replace(/^bearer\s+/i, '');
  const [username, password] = [credential(source, USER_NAMES), credential(source, PASSWORD_NAMES)];
  const ClientId = toInteger(source.settings['client']);
  const OfficeId = toInteger(source.settings['office']);
  if (username === undefined || password === undefined)
    throw new AccessRefused('the credentials are missing: `username` and `password`, or `token`');
  if (ClientId === undefined)
    throw new AccessRefused('the setting `client` is missing or invalid: it says whose estates to read');
  const account = tokenOf(await client.getJson(post(`${base}/token`, { username, password })));
  const office = OfficeId === undefined ? {} : { OfficeId };
  return tokenOf(await client.getJson(post(`${base}/v1/admin/clients/token`, { ClientId, ...office }, account)));
}

function tokenOf(answer: unknown): string {
  const token = (answer as { token?: unknown } | null)?.token;
  if (typeof token !== 'string' || token === '') throw new AccessRefused('the API gave no token');
  return token;
}

function firstBody({ settings }: SourceConfig): ListBody {
  const statuses = (settings['statuses'] ?? ACTIVE).split(/[\s,;]+/).flatMap((status) => toInteger(status) ?? []);
  const limit = toInteger(settings['limit']) ?? MOST_PER_PAGE;
  return {
    Filter: {
      StatusIds: statuses.length === 0 ? [Number(ACTIVE)] : statuses,
      LanguageId: languageOf(settings['langue']),
      ShowDetails: true,
      ShowRepresentatives: true,
    },
    Page: { Limit: Math.min(Math.max(limit, 1), MOST_PER_PAGE), Offset: 0 },
  };
}

/** The languages of the API include a country: `nl-BE`, `en-GB`. */
function languageOf(wanted = 'fr'): string {
  const language = wanted.trim().slice(0, 2).toLowerCase();
  return language === 'en' ? 'en-GB' : `${language}-BE`;
}

/** The last page is empty, or not full while no more records are declared, because servers may use smaller pages. */
function nextPage({ request, records, recordsSoFar, resumeAt, declared = 0 }: WalkedPage): SourceRequest | undefined {
  const body = JSON.parse(request.body ?? '') as ListBody;
  if (records === 0 || (records < body.Page.Limit && recordsSoFar >= declared)) return undefined;
  const next = { ...body, Page: { ...body.Page, Offset: resumeAt } };
  return { ...request, body: JSON.stringify(next), overlaps: 1 };
}

function post(url: string, body: object, token?: string): SourceRequest {
  return {
    url,
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  };
}
