import { createHash } from 'node:crypto';
import { json } from '../../../tools/simulator/answers';
import type { Answer } from '../../../tools/simulator/misbehaviour';
import { type ApiRequest, type ApiServer, startApi } from './api-server';

/** Only the simulator accepts these credentials. */
export const REALFORCE_CREDENTIALS = { 'api-key': 'demo-public-key-of-a-website' } as const;

const LISTINGS = '/api/v1/get-full-listings';
const MOST_PER_PAGE = 100;

export interface SimulatedListing {
  id: string;
  members?: object;
  photos?: number;
}

type Labels = Readonly<Record<string, object>>;

/** The state of the simulated website of RealForce. A test may change it at any time. */
export interface RealforceState {
  listings: () => readonly SimulatedListing[];
  /** Whether the key is valid. */
  knowsKey: boolean;
  /** Whether `count` counts only the page's records. */
  countsPage: boolean;
  /** Added to `count`. */
  countIsOffBy: number;
  /** The labels of choices by the number of their category. Other categories get status 400. */
  choices: Readonly<Record<string, Labels>>;
  /** The JSON value of an empty list of labels. */
  emptyLabels: object;
  /** Whether each response has different URLs for the same photos. */
  movesPhotos: boolean;
  /** Replaces the total that the API reports. */
  total?: (() => number | undefined) | undefined;
  /** Called before each page. */
  beforePage: () => void;
}

/** Simulates the listings and labels of one website on one host, according to the documentation of October 2025. */
export async function simulateRealforce(state: RealforceState): Promise<ApiServer> {
  let answers = 0;
  return await startApi((request) => {
    answers += 1;
    if (!state.knowsKey || request.headers['x-api-key'] !== REALFORCE_CREDENTIALS['api-key'])
      return json(403, { message: 'Access denied' });
    if (request.url.pathname === LISTINGS) return pageFor(request, state, answers);
    const labels = labelsFor(request, state);
    return labels.status === 200 ? tagged(request, labels) : labels;
  });
}

function pageFor({ url }: ApiRequest, state: RealforceState, version: number): Answer {
  const [perPage, page] = [Number(url.searchParams.get('per_page')), Number(url.searchParams.get('page'))];
  if (!url.searchParams.has('lang') || perPage < 1 || perPage > MOST_PER_PAGE || page < 1)
    return json(400, { message: 'Bad parameters' });
  state.beforePage();
  const all = state.listings();
  const data = all
    .slice((page - 1) * perPage, page * perPage)
    .map((listing) => asListing(listing, state.movesPhotos ? version : 0));
  return json(200, {
    count:
      state.total === undefined ? (state.countsPage ? data.length : all.length) + state.countIsOffBy : state.total(),
    page,
    per_page: perPage,
    data,
  });
}

function labelsFor({ url }: ApiRequest, state: RealforceState): Answer {
  switch (url.pathname) {
    case '/api/v1/get-categories-labels':
      return json(200, { '2': { fr: 'Maison' } });
    case '/api/v1/get-amenities-labels':
      return json(200, state.emptyLabels);
    case '/api/v1/get-locations':
      return json(200, url.searchParams.has('is_city') ? { '199': { labels: { fr: 'Lausanne' } } } : state.emptyLabels);
    case '/api/v1/get-choices-labels': {
      const found = state.choices[url.searchParams.get('category') ?? ''];
      return found === undefined ? json(400, { message: 'Unknown category' }) : json(200, found);
    }
    default:
      return json(404, { message: 'Not found' });
  }
}

function asListing({ id, members, photos = 0 }: SimulatedListing, version: number): Record<string, unknown> {
  const addresses = Array.from(
    { length: photos },
    (_, at) => `https://images.realforce.example/${id}-${at}.jpg?v=${version}`,
  );
  const usual = {
    transaction_type_id: '2',
    main_category_id: '2',
    city_id: '199',
    price: '1900000',
    currency_id: '49',
  };
  return { id, ...usual, photos: addresses, ...members };
}

/** The response with its ETag, or status 304 for clients that sent this ETag. */
function tagged({ headers: asked }: ApiRequest, answer: Answer): Answer {
  const etag = `"${createHash('sha256').update(answer.body).digest('hex').slice(0, 24)}"`;
  const headers = { ...answer.headers, etag };
  return asked['if-none-match'] === etag ? { status: 304, headers, body: Buffer.alloc(0) } : { ...answer, headers };
}
