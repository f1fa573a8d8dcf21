import type { Listing } from '@passerelle/domain';

/** A gateway whose listings are shown, with the key that reads them. */
export interface DemoGateway {
  crm: string;
  client: string;
  key: string;
}

/** The members of `GET /v1/feed` that the pages use. */
export interface Feed {
  state: 'fresh' | 'stale' | 'held' | 'failing' | 'never';
  /** ISO 8601, as all times here. */
  since: string | null;
  reason: { code: string; message: string } | null;
  /** The token of the current list; null when nothing was ever published. */
  snapshot: string | null;
  total: number | null;
  confirmed_at: string | null;
  published_at: string | null;
  next_run_at: string | null;
}

/** A list that was published, and how its feed fares now. */
export interface GatewayList {
  gateway: DemoGateway;
  feed: Feed;
  /** In the feed's order. */
  listings: readonly Listing[];
}

/** The API did not give the expected answer. */
export class ApiFailure extends Error {
  constructor(
    /** 0 when there was no answer. */
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** The API as the web site of an agency reads it: the keys stay on this side. */
export interface ReadApi {
  /** @throws ApiFailure */
  portfolio(gateway: DemoGateway): Promise<GatewayList>;
  /** Null when no listing has this identifier. @throws ApiFailure */
  listing(gateway: DemoGateway, id: string): Promise<Listing | null>;
  /** @throws ApiFailure */
  feed(gateway: DemoGateway): Promise<Feed>;
}

interface PageOfListings {
  data: Listing[];
  meta: { total_pages: number };
}

const PER_PAGE = 200;
const PATIENCE_MS = 10_000;

/** @param apiUrl where the API is reached from here */
export function createReadApi(apiUrl: string): ReadApi {
  const kept = new Map<DemoGateway, { snapshot: string; listings: readonly Listing[] }>();

  const feed = async (gateway: DemoGateway): Promise<Feed> =>
    (await get<{ data: Feed }>(apiUrl, gateway, '/v1/feed')).data;

  /** All pages of one snapshot, once for each snapshot. */
  const listingsOf = async (gateway: DemoGateway, snapshot: string): Promise<readonly Listing[]> => {
    const known = kept.get(gateway);
    if (known?.snapshot === snapshot) return known.listings;
    const listings: Listing[] = [];
    for (let page = 1, pages = 1; page <= pages; page++) {
      const query = { snapshot, page: String(page), per_page: String(PER_PAGE) };
      const answer = await get<PageOfListings>(apiUrl, gateway, '/v1/properties', query);
      listings.push(...answer.data);
      pages = answer.meta.total_pages;
    }
    kept.set(gateway, { snapshot, listings });
    return listings;
  };

  return {
    feed,
    async portfolio(gateway) {
      const state = await feed(gateway);
      const listings = state.snapshot === null ? [] : await listingsOf(gateway, state.snapshot);
      return { gateway, feed: state, listings };
    },
    async listing(gateway, id) {
      try {
        return (await get<{ data: Listing }>(apiUrl, gateway, `/v1/properties/${encodeURIComponent(id)}`)).data;
      } catch (error) {
        if (error instanceof ApiFailure && error.status === 404) return null;
        throw error;
      }
    },
  };
}

async function get<Body>(
  apiUrl: string,
  { crm, client, key }: DemoGateway,
  path: string,
  query: Record<string, string> = {},
): Promise<Body> {
  const parameters = new URLSearchParams({ crm, client, ...query });
  let response: Response;
  let body: unknown;
  try {
    response = await fetch(`${apiUrl}${path}?${parameters.toString()}`, {
      headers: { key },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    body = await response.json();
  } catch (error) {
    throw new ApiFailure(0, `the API does not answer: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (response.ok) return body as Body;
  const { code, message } = body as { code?: string; message?: string };
  throw new ApiFailure(response.status, `${response.status} ${code ?? ''}: ${message ?? ''}`);
}
