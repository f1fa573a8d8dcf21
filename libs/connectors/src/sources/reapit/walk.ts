import { AccessRefused, BadFeed, isUrl } from '@passerelle/domain';
import { toInteger } from '../../kit/clean/number';
import { bearerFor } from '../../kit/client-credentials';
import type { PageAnswer, PagedFetch, SourceClient, SourceConfig, SourceRequest } from '../../kit/contracts';
import { basePath, credential } from '../../kit/http-access';
import { nextNumberedPage } from '../../kit/page-numbers';
import { listOf, textOf } from '../../kit/values';
import { type GroupAnswer, wholeAnswersFor } from '../../kit/whole-answers';

const ID_NAMES = ['client-id', 'client_id'];
const SECRET_NAMES = ['client-secret', 'client_secret'];
const DEFAULT_BASE_URL = 'https://platform.reapit.cloud';
const DEFAULT_TOKEN_URL = 'https://connect.reapit.cloud/token';
const API_VERSION = '2020-01-31';
/** The largest page that the API accepts, for every list. */
const MOST_PER_PAGE = 100;
const PROPERTIES_PER_REQUEST = 20;
const MOST_PAGES = 200;

type Member = Readonly<Record<string, unknown>>;

/** One walk through the properties that may be advertised on the internet. */
export const REAPIT_WALK: PagedFetch = {
  kind: 'pages',
  async prepare(source, client) {
    const base = baseOf(source);
    const headers = await headersFor(source, client);
    const [offices, negotiators] = [
      await namesIn(client, `${base}/offices/`, headers),
      await namesIn(client, `${base}/negotiators/`, headers),
    ];
    return { walks: [{ url: firstPage(base, source), headers }], feed: { offices, negotiators } };
  },
  next: (page) => nextNumberedPage(page, { number: 'pageNumber', size: 'pageSize' }),
  compose: composePage,
  savedAnswer(body) {
    const answer = parsed(body);
    if (!Array.isArray((answer as { _embedded?: unknown } | null)?._embedded)) return body;
    const { members, total } = listIn(answer);
    return Buffer.from(JSON.stringify({ totalCount: total, properties: members }));
  },
};

/** The request quota counts per application. */
export function applicationOf(source: SourceConfig): string | undefined {
  return credential(source, ID_NAMES);
}

function baseOf({ url }: SourceConfig): string {
  const address = url.trim() === '' ? DEFAULT_BASE_URL : url;
  if (!isUrl(address)) throw new AccessRefused('the source URL is not an address');
  const { origin, pathname } = new URL(address);
  return `${origin}${basePath(pathname, 'properties')}`;
}

async function headersFor(source: SourceConfig, client: SourceClient): Promise<Record<string, string>> {
  const [id, secret] = [credential(source, ID_NAMES), credential(source, SECRET_NAMES)];
  if (id === undefined || secret === undefined)
    throw new AccessRefused('the credentials `client-id` and `client-secret` are missing, or one of them');
  const customer = source.settings['customer']?.trim().toUpperCase() ?? '';
  if (!/^[A-Z0-9]{2,12}$/.test(customer))
    throw new AccessRefused('the setting `customer` is missing or invalid: it says whose properties to read');
  const url = source.settings['token-url'] ?? DEFAULT_TOKEN_URL;
  if (!isUrl(url)) throw new AccessRefused('the setting `token-url` is not an address');
  const bearer = await bearerFor(client, { url, id, secret, parameters: { client_id: id } });
  return { ...bearer, accept: 'application/json', 'api-version': API_VERSION, 'reapit-customer': customer };
}

function firstPage(base: string, { settings }: SourceConfig): string {
  const url = new URL(`${base}/properties/`);
  const limit = toInteger(settings['limit']) ?? MOST_PER_PAGE;
  url.searchParams.set('pageSize', String(Math.min(Math.max(limit, 1), MOST_PER_PAGE)));
  url.searchParams.set('pageNumber', '1');
  url.searchParams.set('sortBy', 'created');
  // Without this parameter the API also returns properties that are not for the internet.
  url.searchParams.set('internetAdvertising', 'true');
  url.searchParams.set('fromArchive', 'false');
  for (const office of (settings['offices'] ?? '').split(/[\s,;]+/)) {
    if (office !== '') url.searchParams.append('officeId', office);
  }
  return url.href;
}

/** The list is short. If it changes during the requests, only names are affected. @throws FeedError */
async function namesIn(
  client: SourceClient,
  address: string,
  headers: Record<string, string>,
): Promise<Record<string, Member>> {
  const found: Record<string, Member> = {};
  for (let number = 1; number <= MOST_PAGES; number += 1) {
    const url = `${address}?pageSize=${MOST_PER_PAGE}&pageNumber=${number}`;
    const { members, total } = listIn(await client.getJson({ url, headers }));
    for (const member of members) {
      const { id, name, workPhone, email } = member;
      const key = textOf(id);
      if (key !== undefined) found[key] = { name, workPhone, email };
    }
    if (members.length < MOST_PER_PAGE || number * MOST_PER_PAGE >= total) break;
  }
  return found;
}

function listIn(answer: unknown): { members: readonly Member[]; total: number } {
  const { _embedded: members, totalCount } = (answer ?? {}) as { _embedded?: unknown; totalCount?: unknown };
  if (!Array.isArray(members)) throw new BadFeed('Reapit answered without a list: `_embedded` is missing');
  const total = Number(totalCount ?? members.length);
  return { members: members as Member[], total: Number.isInteger(total) ? total : members.length };
}

/** A page of properties with their images, which come from a separate list. */
async function composePage(
  { request, body }: PageAnswer,
  _source: SourceConfig,
  client: SourceClient,
): Promise<Buffer> {
  const { members, total } = listIn(parsed(body));
  const ids = members.flatMap(({ id }) => textOf(id) ?? []);
  const images = new Map<string, Member[]>();
  for (const image of await imagesOf(ids, request, client)) {
    const property = textOf(image['propertyId']) ?? '';
    images.set(property, [...(images.get(property) ?? []), image]);
  }
  const properties = members.map((member) => ({ ...member, images: images.get(textOf(member['id']) ?? '') ?? [] }));
  return Buffer.from(JSON.stringify({ totalCount: total, properties }));
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    throw new BadFeed('Reapit did not answer with JSON');
  }
}

/** Requests the images of a group of properties in one answer, because an image could be missed between two pages. */
async function imagesOf(ids: readonly string[], page: SourceRequest, client: SourceClient): Promise<Member[]> {
  const list = new URL(page.url);
  list.pathname = list.pathname.replace(/properties\/*$/, 'propertyImages/');
  const ask = async (group: readonly string[], number = 1): Promise<GroupAnswer<Member>> => {
    list.search = '';
    list.searchParams.set('pageSize', String(MOST_PER_PAGE));
    list.searchParams.set('pageNumber', String(number));
    for (const id of group) list.searchParams.append('propertyId', id);
    const { members, total } = listIn(await client.getJson({ url: list.href, headers: page.headers ?? {} }));
    const wanted = new Set(group);
    const found = members.filter(({ propertyId }) => wanted.has(textOf(propertyId) ?? ''));
    return { found, isWhole: total <= members.length };
  };
  return await wholeAnswersFor(ids, PROPERTIES_PER_REQUEST, ask, async (id, first) => {
    const all = [...first.found];
    for (let number = 2; number <= MOST_PAGES; number += 1) {
      const { found } = await ask([id], number);
      all.push(...found);
      if (found.length < MOST_PER_PAGE) return all;
    }
    throw new BadFeed(`Reapit has too many pages of images of ${id}`);
  });
}

export function nameOf(feed: Readonly<Record<string, unknown>>, list: 'offices' | 'negotiators', id: unknown): Member {
  const known = feed[list] as Readonly<Record<string, Member>> | undefined;
  return known?.[textOf(listOf(id)[0]) ?? ''] ?? {};
}
