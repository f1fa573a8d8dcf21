import { json } from '../../../tools/simulator/answers';
import type { Answer } from '../../../tools/simulator/misbehaviour';
import { type ApiRequest, type ApiServer, startApi } from './api-server';

/** Only the simulator accepts these credentials. */
export const REAPIT_CREDENTIALS = { 'client-id': 'demo-application', 'client-secret': 'demo-secret' } as const;

const MOST_PER_PAGE = 100;
const USUAL_PAGE = 25;

export interface SimulatedProperty {
  id: string;
  members?: object;
  images?: number;
}

/** The state of the simulated customer of Reapit. A test may change it at any time. */
export interface ReapitState {
  properties: () => readonly SimulatedProperty[];
  offices: readonly object[];
  negotiators: readonly object[];
  /** The number of requests for which a token is valid. */
  tokenIsGoodFor: number;
  /** Whether each response has different URLs for the same photos. */
  movesPhotos: boolean;
  /** Replaces the total that the API reports. */
  total?: (() => number | undefined) | undefined;
  /** Called before each page of properties. */
  beforePage: () => void;
}

/** Simulates Reapit Connect and Foundations for the customer SBOX, according to the public descriptions of 2026. */
export async function simulateReapit(state: ReapitState): Promise<ApiServer> {
  let tokens = 0;
  let left = 0;
  return await startApi((request) => {
    if (request.url.pathname === '/token') {
      if (!knowsApplication(request)) return json(401, { error: 'access_denied' });
      tokens += 1;
      left = state.tokenIsGoodFor;
      return json(200, { access_token: `token-${tokens}`, expires_in: 3600, token_type: 'Bearer' });
    }
    left -= 1;
    if (left < 0 || request.headers.authorization !== `Bearer token-${tokens}`) return problem(401, 'Unauthorized');
    if (request.headers['api-version'] !== '2020-01-31') return problem(400, 'api-version is required');
    if (request.headers['reapit-customer'] !== 'SBOX')
      return problem(403, 'the customer has not installed the application');
    return answerFor(request, state, tokens * 10_000 + left);
  });
}

function knowsApplication({ headers, body }: ApiRequest): boolean {
  const { 'client-id': id, 'client-secret': secret } = REAPIT_CREDENTIALS;
  const form = new URLSearchParams(body);
  return (
    headers.authorization === `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` &&
    form.get('grant_type') === 'client_credentials' &&
    form.get('client_id') === id
  );
}

function problem(statusCode: number, description: string): Answer {
  return json(statusCode, { statusCode, dateTime: '2026-11-01T00:00:00Z', description });
}

function answerFor({ url }: ApiRequest, state: ReapitState, version: number): Answer {
  switch (url.pathname) {
    case '/properties/':
      state.beforePage();
      return pageOf(
        url,
        state
          .properties()
          .map(propertyOf)
          .filter((property) => isAskedFor(property, url)),
        state.total,
      );
    case '/propertyImages/':
      return pageOf(url, imagesFor(url, state, version));
    case '/offices/':
      return pageOf(url, state.offices);
    case '/negotiators/':
      return pageOf(url, state.negotiators);
    default:
      return problem(404, 'not found');
  }
}

function propertyOf({ id, members }: SimulatedProperty): Record<string, unknown> {
  const usual = { internetAdvertising: true, fromArchive: false, marketingMode: 'selling', type: ['house'] };
  return { id, ...usual, selling: { price: 450_000, status: 'forSale' }, _eTag: '"1"', ...members };
}

/** A filter that is absent from the query matches every property. */
function isAskedFor(property: Record<string, unknown>, { searchParams: query }: URL): boolean {
  return ['internetAdvertising', 'fromArchive'].every(
    (name) => !query.has(name) || String(property[name]) === query.get(name),
  );
}

function imagesFor({ searchParams: query }: URL, { properties, movesPhotos }: ReapitState, version: number): object[] {
  const wanted = new Set(query.getAll('propertyId'));
  return properties()
    .filter(({ id }) => wanted.has(id))
    .flatMap(({ id, images = 0 }) =>
      Array.from({ length: images }, (_, order) => {
        const url = `https://images.reapit.example/${id}_${order}.jpg${movesPhotos ? `?v=${version}` : ''}`;
        return { id: `${id}_${order}.jpg`, propertyId: id, url, type: 'picture', order, caption: `Image ${order}` };
      }),
    );
}

function pageOf(
  { searchParams: query }: URL,
  all: readonly object[],
  total: () => number | undefined = () => all.length,
): Answer {
  const pageSize = Number(query.get('pageSize') ?? USUAL_PAGE);
  const pageNumber = Number(query.get('pageNumber') ?? 1);
  if (!(pageSize >= 1 && pageSize <= MOST_PER_PAGE && pageNumber >= 1)) return problem(400, 'bad page');
  const members = all.slice((pageNumber - 1) * pageSize, pageNumber * pageSize);
  return json(200, {
    _embedded: members,
    ...{ pageNumber, pageSize, pageCount: members.length },
    ...{ totalPageCount: Math.ceil(all.length / pageSize), totalCount: total(), _links: {} },
  });
}
