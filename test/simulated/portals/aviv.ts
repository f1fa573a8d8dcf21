import { json } from '../../../tools/simulator/answers';
import type { Answer } from '../../../tools/simulator/misbehaviour';
import { type ApiRequest, type ApiServer, startApi } from '../apis/api-server';

/** Public on purpose: it only opens the simulator. */
export const AVIV_CREDENTIALS = { 'client-id': 'demo-client', 'client-secret': 'demo-secret' } as const;
export const AVIV_PATH = '/caas/v4';
export const AVIV_TOKEN_PATH = '/oauth/token';

interface Classified {
  id: string;
  estateId: string;
  body: Body;
  isDeleted: boolean;
  isOnline: boolean;
  statuses: { status: string; statusDate: string; title?: string; detail?: string }[];
}

interface Body {
  portals?: string[];
  data?: {
    location?: Record<string, unknown>;
    metaData?: { source?: { offererEstateId?: string } };
    [member: string]: unknown;
  };
  media?: { url: string }[];
}

/** The state of the portal. Tests change it at any time. */
export interface AvivState {
  /** Whether the portal accepts the client. */
  letsIn: boolean;
  /** The most tokens of one client; further requests for one get 429. */
  mostTokens: number;
  /** The review of an advert, after it was taken: a reason to refuse it, or undefined. */
  review: (body: Body) => string | undefined;
  /** Whether a photo can be downloaded. One that could not be is never tried again under the same address. */
  isAlive: (url: string) => boolean;
  /** Whether the portal keeps the identifiers of deleted adverts, so that a new one is a duplicate. */
  keepsIdentifiers: boolean;
  /** The number of requests that get 412, as when another program changes the advert. */
  conflicts: number;
}

export interface AvivPortal extends ApiServer {
  /** Requests for a token. */
  tokens: number;
  classifieds: readonly Classified[];
  /** Ends every token that was given. */
  endTokens(): void;
  /** Carries out what was taken with 202: reviews, downloads, deletions. */
  settle(): void;
  /** The identifiers of the adverts that visitors see, sorted. */
  online(): string[];
}

export function newAvivState(): AvivState {
  return {
    ...{ letsIn: true, mostTokens: Infinity, review: () => undefined, isAlive: () => true },
    ...{ keepsIdentifiers: true, conflicts: 0 },
  };
}

const KNOWN_DATA = new Set(
  (
    'estateType estateSubType distributionType location prices spaces structure conditions energy features texts management ' +
    'countrySpecific metaData'
  ).split(' '),
);
const KNOWN_MEMBERS = new Set(['portals', 'data', 'specific', 'media']);
const REQUIRED_DATA = ['estateType', 'distributionType', 'location', 'prices', 'metaData'];
const REQUIRED_LOCATION = ['postalcode', 'city', 'country', 'street', 'houseNumber'];

/** The AVIV Classified API, with its weaknesses: it accepts with 202, and reviews later. */
export async function simulateAviv(state: AvivState): Promise<AvivPortal> {
  const classifieds: Classified[] = [];
  const downloads = new Map<string, boolean>();
  const pending: (() => void)[] = [];
  let valid = new Set<string>();
  let clock = Date.UTC(2026, 2, 1);
  const note = (one: Classified, status: string, reason?: string): void => {
    one.statuses.push({
      status,
      statusDate: new Date((clock += 1000)).toISOString(),
      ...(reason !== undefined && { title: status, detail: reason }),
    });
  };

  const answerToken = ({ body }: ApiRequest): Answer => {
    portal.tokens += 1;
    if (portal.tokens > state.mostTokens) return json(429, { title: 'Too many tokens' });
    const asked = JSON.parse(body) as Record<string, string>;
    const isKnown =
      asked['client_id'] === AVIV_CREDENTIALS['client-id'] &&
      asked['client_secret'] === AVIV_CREDENTIALS['client-secret'];
    if (!state.letsIn || !isKnown || !asked['intermediary_id']) return json(401, { error: 'access_denied' });
    const token = `token-${portal.tokens}`;
    valid.add(token);
    return json(200, { access_token: token, expires_in: 86_400 });
  };

  const process = (one: Classified, done: string, failed: string): void => {
    pending.push(() => {
      // A deleted advert never comes back, whatever was answered.
      if (one.isDeleted) {
        note(one, failed, 'the classified is deleted');
        return;
      }
      const refusal = state.review(one.body);
      if (refusal !== undefined) {
        note(one, failed, refusal);
        return;
      }
      const urls = (one.body.media ?? []).map(({ url }) => url);
      for (const url of urls) if (!downloads.has(url)) downloads.set(url, state.isAlive(url));
      const dead = urls.find((url) => downloads.get(url) === false);
      one.isOnline = true;
      if (dead === undefined) note(one, done);
      else note(one, `${done}_WITH_MEDIA_ERROR`, `DOWNLOADING_FAILED ${dead}`);
    });
  };

  const create = (body: Body): Answer => {
    const estateId = body.data?.metaData?.source?.offererEstateId ?? '';
    const same = classifieds.find((one) => one.estateId === estateId && (!one.isDeleted || state.keepsIdentifiers));
    if (same !== undefined)
      return json(400, { title: 'Duplicated classified', detail: `exists with classifiedId: ${same.id}` });
    const one: Classified = {
      ...{ id: `classified-${String(classifieds.length + 1).padStart(8, '0')}`, estateId, body },
      ...{ isDeleted: false, isOnline: false, statuses: [] },
    };
    classifieds.push(one);
    note(one, 'RECEIVED');
    process(one, 'CREATED', 'CREATE_FAILED');
    return json(202, { classifiedId: one.id });
  };

  const answerOne = (one: Classified, { method, body }: ApiRequest): Answer => {
    if (method === 'PUT') {
      const parsed = JSON.parse(body) as Body;
      const problem = problemOf(parsed);
      if (problem !== undefined) return problem;
      if (!one.isDeleted) one.body = parsed;
      note(one, 'RECEIVED');
      process(one, 'UPDATED', 'UPDATE_FAILED');
      return json(202, { classifiedId: one.id });
    }
    note(one, 'RECEIVED');
    pending.push(() => {
      one.isDeleted = true;
      one.isOnline = false;
      note(one, 'DELETED');
    });
    return json(202, {});
  };

  const server = await startApi((request) => {
    const { url, headers, method, body } = request;
    if (!/^[^\s/]+\/[^\s/]+ [^\s/]+\/[^\s/]+$/.test(headers['user-agent'] ?? ''))
      return json(403, { title: 'User-Agent' });
    if (url.pathname === AVIV_TOKEN_PATH) return answerToken(request);
    const token = (headers.authorization ?? '').replace('Bearer ', '');
    if (!valid.has(token)) return json(401, { title: 'Unauthorized' });
    if (method !== 'GET' && state.conflicts > 0) {
      state.conflicts -= 1;
      return json(412, { title: 'Precondition Failed' });
    }
    const [, id, last] = /^\/caas\/v4\/classifieds(?:\/([^/]+))?(?:\/(statuses))?$/.exec(url.pathname) ?? [];
    if (id === undefined) {
      if (method !== 'POST') return pageOf(url, classifieds);
      const parsed = JSON.parse(body) as Body;
      return problemOf(parsed) ?? create(parsed);
    }
    const one = classifieds.find((classified) => classified.id === decodeURIComponent(id));
    if (one === undefined) return json(404, { title: 'Not Found' });
    return last === 'statuses' ? json(200, { items: one.statuses }) : answerOne(one, request);
  });
  const portal: AvivPortal = Object.assign(server, {
    tokens: 0,
    classifieds,
    endTokens: () => {
      valid = new Set();
    },
    settle: () => {
      for (const carryOut of pending.splice(0)) carryOut();
    },
    online: () =>
      classifieds
        .filter(({ isOnline }) => isOnline)
        .map(({ estateId }) => estateId)
        .sort(),
  });
  return portal;
}

const PAGE = 2;

/** Pages are smaller than the client asks for. */
function pageOf({ searchParams }: URL, classifieds: readonly Classified[]): Answer {
  const start = Number(searchParams.get('nextToken') ?? 0);
  const items = classifieds
    .slice(start, start + PAGE)
    .map(({ id, body }) => ({ classifiedId: id, data: { metaData: body.data?.metaData } }));
  const next = start + PAGE;
  return json(200, { items, ...(next < classifieds.length && { nextToken: String(next) }) });
}

/** An answer that refuses an unknown or a missing member immediately, by its JSON pointer. */
function problemOf({ data = {}, ...body }: Body): Answer | undefined {
  const refuse = (name: string, reason: string): Answer =>
    json(400, { title: 'Bad Request', detail: 'the body is not valid', errors: [{ name, reason }] });
  for (const member of Object.keys(body)) if (!KNOWN_MEMBERS.has(member)) return refuse(`/${member}`, 'is unknown');
  for (const member of Object.keys(data)) if (!KNOWN_DATA.has(member)) return refuse(`/data/${member}`, 'is unknown');
  for (const member of REQUIRED_DATA) if (data[member] === undefined) return refuse(`/data/${member}`, 'is required');
  for (const member of REQUIRED_LOCATION)
    if (data.location?.[member] === undefined) return refuse(`/data/location/${member}`, 'is required');
  return undefined;
}
