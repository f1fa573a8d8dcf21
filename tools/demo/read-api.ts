import type { Listing } from '@passerelle/domain';

export interface DemoGateway {
  crm: string;
  client: string;
  key: string;
}

/** The members of `GET /v1/feed` that the pages use. */
export interface Feed {
  state: 'fresh' | 'stale' | 'held' | 'failing' | 'never';
  /** ISO 8601, like all times here. */
  since: string | null;
  reason: { code: string; message: string } | null;
  /** The token of the current list; null before the first publication. */
  snapshot: string | null;
  confirmed_at: string | null;
  published_at: string | null;
  next_run_at: string | null;
}

/** The values of each field, most frequent first. */
export type Facets = Readonly<Record<string, readonly { value: string; count: number }[]>>;

/** The members of `GET /v1/search` that the pages use. */
export interface Found {
  data: readonly Listing[];
  meta: { total: number; page: number; total_pages: number };
  facets?: Facets;
}

export class ApiFailure extends Error {
  constructor(
    /** 0 when there was no response. */
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Runs on the server, to keep the keys from browsers. Every method throws ApiFailure. */
export interface ReadApi {
  feed(gateway: DemoGateway): Promise<Feed>;
  search(gateway: DemoGateway, query: Readonly<Record<string, string>>): Promise<Found>;
  listing(gateway: DemoGateway, id: string): Promise<Listing>;
}

const TIMEOUT_MS = 10_000;

/** @param apiUrl the address at which this process reaches the API */
export function createReadApi(apiUrl: string): ReadApi {
  return {
    feed: async (gateway) => (await get<{ data: Feed }>(apiUrl, gateway, '/v1/feed')).data,
    search: (gateway, query) => get<Found>(apiUrl, gateway, '/v1/search', query),
    listing: async (gateway, id) =>
      (await get<{ data: Listing }>(apiUrl, gateway, `/v1/properties/${encodeURIComponent(id)}`)).data,
  };
}

async function get<Body>(
  apiUrl: string,
  { crm, client, key }: DemoGateway,
  path: string,
  query: Readonly<Record<string, string>> = {},
): Promise<Body> {
  const parameters = new URLSearchParams({ crm, client, ...query });
  let response: Response;
  let body: unknown;
  try {
    const url = `${apiUrl}${path}?${parameters.toString()}`;
    response = await fetch(url, { headers: { key }, signal: AbortSignal.timeout(TIMEOUT_MS) });
    body = await response.json();
  } catch (error) {
    throw new ApiFailure(0, `the API does not answer: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (response.ok) return body as Body;
  const { code, message } = body as { code?: string; message?: string };
  throw new ApiFailure(response.status, `${response.status} ${code ?? ''}: ${message ?? ''}`);
}
