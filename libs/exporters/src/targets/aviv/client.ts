import { AccessRefused, RetryLater } from '@passerelle/domain';
import {
  AdvertRefused,
  type AdvertStatus,
  type PlacementConfig,
  type PortalAnswer,
  type PortalClient,
  type PortalHttp,
} from '../../kit/contracts';
import { DELETED, IS_FAILED, IS_UNDER_WAY } from './lookups';
import { estateId } from './mapping';
import { accessOf, forgetOldToken, jsonOf, tokenFor, USER_AGENT, wordsOf } from './token';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
type Send = (method: Method, path: string, body?: string) => Promise<PortalAnswer>;

interface Status {
  status: string;
  reason: string;
  url: string | undefined;
}

const PAGE = 100;
const MOST_PAGES = 200;

/** The verbs of the AVIV Classified API, version 4. */
export function openAviv(placement: PlacementConfig, http: PortalHttp): PortalClient {
  const send = sender(placement, http);
  const create = async (advert: string, advertId: string): Promise<string> => {
    const answer = await send('POST', '/classifieds', advert);
    const existing = duplicateIn(answer);
    if (existing === undefined) return classifiedIdIn(answer, 'the portal took the advert, and gave it no number');
    if (isDeleted(await statusesOf(send, existing)))
      throw new AdvertRefused(
        `the portal keeps the deleted advert ${existing} under the identifier ${estateId(advertId)}: ask the portal to free it`,
      );
    refuseFaults(await send('PUT', pathOf(existing), advert));
    return existing;
  };
  return {
    create,
    find: (advertId) => findClassified(send, estateId(advertId)),
    async replace(portalId, advert, advertId) {
      // A PUT of a deleted advert is accepted, and never comes online.
      if (isDeleted(await statusesOf(send, portalId))) return create(advert, advertId);
      const answer = await send('PUT', pathOf(portalId), advert);
      if (answer.status === 404) return create(advert, advertId);
      refuseFaults(answer);
      return portalId;
    },
    async remove(portalId) {
      const answer = await send('DELETE', pathOf(portalId));
      if (answer.status !== 404 && answer.status !== 410) refuseFaults(answer);
    },
    async status(portalId) {
      return statusFrom(await statusesOf(send, portalId));
    },
  };
}

function pathOf(portalId: string): string {
  return `/classifieds/${encodeURIComponent(portalId)}`;
}

/** Sends with the shared token. A token that is refused is replaced once. @throws RetryLater, AccessRefused */
function sender(placement: PlacementConfig, http: PortalHttp): Send {
  const access = accessOf(placement);
  const once = async (token: string, method: Method, path: string, body?: string): Promise<PortalAnswer> =>
    http({
      ...{ method, url: `${access.api}${path}` },
      headers: {
        ...{ authorization: `Bearer ${token}`, accept: 'application/json', 'user-agent': USER_AGENT },
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
    });
  return async (method, path, body) => {
    const token = await tokenFor(access, http);
    let answer = await once(token, method, path, body);
    if (answer.status === 401 && forgetOldToken(access))
      answer = await once(await tokenFor(access, http), method, path, body);
    const { status } = answer;
    if (status === 401 || status === 403) throw new AccessRefused(sentence('the portal refuses the access', answer));
    // 412: another program changed the advert at the same time.
    if (status === 412 || status === 429 || status >= 500)
      throw new RetryLater(sentence('the portal is busy', answer), waitIn(answer));
    return answer;
  };
}

/** The wait that the portal asks for, in ms. */
function waitIn({ headers }: PortalAnswer): number | undefined {
  const seconds = Number(headers['retry-after']);
  return seconds > 0 ? seconds * 1000 : undefined;
}

function refuseFaults(answer: PortalAnswer): void {
  if (answer.status >= 400) throw new AdvertRefused(sentence('the portal refuses the advert', answer));
}

function sentence(what: string, answer: PortalAnswer): string {
  const words = wordsOf(jsonOf(answer.text));
  const trace = answer.headers['traceparent'];
  return `${what} (${answer.status}${words === '' ? '' : ` ${words}`})${trace === undefined ? '' : ` [${trace}]`}`;
}

function classifiedIdIn(answer: PortalAnswer, otherwise: string): string {
  refuseFaults(answer);
  const { classifiedId } = jsonOf(answer.text);
  if (typeof classifiedId !== 'string' || classifiedId === '') throw new RetryLater(otherwise);
  return classifiedId;
}

/** The number of the advert that exists under the same identifier. */
function duplicateIn(answer: PortalAnswer): string | undefined {
  if (answer.status !== 400) return undefined;
  const { title, type, detail } = jsonOf(answer.text);
  if (!/duplicated/i.test(`${String(title)} ${String(type)}`)) return undefined;
  return /classifiedId:\s?([\w-]{8,60})/i.exec(String(detail))?.[1];
}

/** The statuses of an advert, the newest first; `DELETED` alone when the portal does not know it. */
async function statusesOf(send: Send, portalId: string): Promise<readonly Status[]> {
  const answer = await send('GET', `${pathOf(portalId)}/statuses?limit=15`);
  if (answer.status === 404) return [{ status: DELETED, reason: '', url: undefined }];
  return itemsIn(answer)
    .sort((a, b) => textOf(b['statusDate']).localeCompare(textOf(a['statusDate'])))
    .map((item) => ({
      status: textOf(item['status']),
      reason: wordsOf(item),
      url: typeof item['url'] === 'string' ? item['url'] : undefined,
    }));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** By the last final status: a PUT that failed on a deleted advert does not bring it back. */
function isDeleted(statuses: readonly Status[]): boolean {
  return statuses.find(({ status }) => !IS_UNDER_WAY.test(status) && !IS_FAILED.test(status))?.status === DELETED;
}

function statusFrom(statuses: readonly Status[]): AdvertStatus {
  const [newest] = statuses;
  if (newest === undefined || IS_UNDER_WAY.test(newest.status)) return { state: 'accepted' };
  if (isDeleted(statuses)) return { state: 'removed' };
  if (IS_FAILED.test(newest.status)) return { state: 'refused', reason: `${newest.status} ${newest.reason}`.trim() };
  // An advert with a photo that could not be read is online, and the reason names the photo.
  const reason = newest.reason === '' ? {} : { reason: newest.reason };
  return { state: 'online', ...(newest.url !== undefined && { url: newest.url }), ...reason };
}

async function findClassified(send: Send, wanted: string): Promise<readonly string[]> {
  const found: string[] = [];
  let token: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const next = token === undefined ? '' : `&nextToken=${encodeURIComponent(token)}`;
    const answer = await send('GET', `/classifieds?limit=${PAGE}${next}`);
    refuseFaults(answer);
    for (const item of itemsIn(answer)) {
      const id = item['classifiedId'];
      if (typeof id === 'string' && estateIdIn(item) === wanted && !isDeleted(await statusesOf(send, id)))
        found.push(id);
    }
    const { nextToken } = jsonOf(answer.text);
    if (typeof nextToken !== 'string' || nextToken === '' || nextToken === token) break;
    token = nextToken;
  }
  return found;
}

/** The identifier of a listed advert, in the item or where the advert has it. */
function estateIdIn(item: Record<string, unknown>): unknown {
  const path = ['data', 'metaData', 'source'];
  let inside: unknown = item;
  for (const name of path) inside = (inside as Record<string, unknown> | undefined)?.[name];
  return item['offererEstateId'] ?? (inside as Record<string, unknown> | undefined)?.['offererEstateId'];
}

function itemsIn(answer: PortalAnswer): Record<string, unknown>[] {
  const { items } = jsonOf(answer.text);
  return Array.isArray(items) ? (items as Record<string, unknown>[]) : [];
}
