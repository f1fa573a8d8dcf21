import { AskOperator, failureOf, RetryLater, Unproven } from './failures.ts';
import type { Change, ChangesMeta, Feed, History, ManifestLine, ManifestMeta, Property, Report } from './types.ts';

export interface ClientOptions {
  /** The address of the API: `https://listings.example`. */
  base: string;
  crm: string;
  client: string;
  /** Keys belong on servers, never in a browser. */
  key: string;
  /** The time limit for one answer, in ms; default: 30,000. */
  timeoutMs?: number;
  fetch?: typeof fetch;
}

/** A complete list, verified: the client has checked the number of lines and their hash. */
export interface Manifest {
  /** Token of the snapshot. */
  snapshot: string;
  /** Pass this tag to the next call after the whole list was processed. */
  etag: string;
  lines: ManifestLine[];
}

/**
 * The client of the Passerelle API. Every result is complete and verified; otherwise the call throws a `Failure` that
 * says what to do.
 */
export interface PasserelleClient {
  /** The token and ETag of the current list, without the list; null when its ETag is still `etag`. */
  current(etag?: string): Promise<{ snapshot: string; etag: string } | null>;
  /** Null when nothing has changed since the manifest with this ETag. */
  manifest(etag?: string): Promise<Manifest | null>;
  /** All listings with these ids, one hundred per request. */
  listings(ids: readonly string[], snapshot: string): Promise<Property[]>;
  /**
   * The changes, removals first. Null when there are more than `most` (1,000), or when the API lists no change although
   * the snapshot differs. Then compare with the manifest.
   */
  changes(
    since: string,
    options?: { snapshot?: string; most?: number },
  ): Promise<{ snapshot: string; changes: Change[] } | null>;
  feed(): Promise<Feed>;
  /** Where a listing is, or why it is missing. */
  history(id: string): Promise<History>;
  report(report: Report): Promise<void>;
}

const AT_ONCE = 100;

interface Init {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

interface Body<Data, Meta> {
  status: string;
  data: Data;
  meta: Meta;
}

/** @throws AskOperator when the address is neither https:// nor local */
export function createClient({
  base,
  crm,
  client,
  key,
  timeoutMs = 30_000,
  fetch: get = fetch,
}: ClientOptions): PasserelleClient {
  const { protocol, hostname } = new URL(base);
  if (protocol !== 'https:' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname)) {
    throw new AskOperator('The address must begin with https://, or the key could be read on its way.');
  }

  const send = async (path: string, query: Record<string, string>, init: Init = {}): Promise<Response> => {
    // `URLSearchParams` would encode the commas between the ids; each id is already encoded.
    const { ids, ...others } = query;
    const address = `${withoutSlashes(base)}${path}?${new URLSearchParams({ crm, client, ...others }).toString()}`;
    try {
      return await get(ids === undefined ? address : `${address}&ids=${ids}`, {
        ...init,
        headers: { key, accept: 'application/json', ...init.headers },
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
    } catch (error) {
      throw new RetryLater(`No answer: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const read = async <Data, Meta = unknown>(response: Response): Promise<Body<Data, Meta>> => {
    let body: unknown;
    try {
      // A truncated answer fails in fetch, by its length or gzip, or in the JSON parser.
      body = await response.json();
    } catch {
      body = undefined;
    }
    const answer = body as Partial<Body<Data, Meta>> | undefined | null;
    if (response.status !== 200 || answer?.status !== 'success') throw failureOf(response, body);
    if (typeof answer.data !== 'object' || answer.data === null) throw new RetryLater('The answer is incomplete.');
    return { meta: {} as Meta, ...answer } as Body<Data, Meta>;
  };
  const call = async <Data, Meta = unknown>(
    path: string,
    query: Record<string, string> = {},
  ): Promise<Body<Data, Meta>> => read(await send(path, query));
  const ifChanged = (etag: string): Init => (etag === '' ? {} : { headers: { 'if-none-match': etag } });
  const etagOf = ({ headers }: Response): string => headers.get('etag') ?? '';

  return {
    async current(etag = '') {
      const response = await send('/v1/manifest', {}, { method: 'HEAD', ...ifChanged(etag) });
      if (response.status === 304 && etag !== '') return null;
      const snapshot = response.headers.get('x-snapshot');
      if (response.status !== 200 || snapshot === null) throw failureOf(response, undefined);
      return { snapshot, etag: etagOf(response) };
    },
    async manifest(etag = '') {
      const response = await send('/v1/manifest', {}, ifChanged(etag));
      if (response.status === 304 && etag !== '') return null;
      const { data, meta } = await read<ManifestLine[], ManifestMeta>(response);
      await prove(data, meta);
      return { snapshot: meta.snapshot, etag: etagOf(response), lines: data };
    },
    async listings(ids, snapshot) {
      const listings: Property[] = [];
      for (let at = 0; at < ids.length; at += AT_ONCE) {
        const wanted = new Set(ids.slice(at, at + AT_ONCE));
        const query = { snapshot, ids: [...wanted].map(encodeURIComponent).join(',') };
        const { data } = await call<Property[]>('/v1/properties', query);
        const found = new Set(data.map(({ affId }) => affId));
        if (data.length !== wanted.size || [...wanted].some((affId) => !found.has(affId))) {
          throw new RetryLater('The page of listings is incomplete.');
        }
        listings.push(...data);
      }
      return listings;
    },
    async changes(since, { snapshot = '', most = 1_000 } = {}) {
      const changes: Change[] = [];
      let [reached, total] = [snapshot, -1];
      for (let page = 1, pages = 1; page <= pages; page += 1) {
        const query = { since, page: String(page), per_page: '200', ...(reached !== '' && { snapshot: reached }) };
        const { data, meta } = await call<Change[], Partial<ChangesMeta>>('/v1/changes', query);
        total = meta.total ?? -1;
        if (total > most) return null;
        reached ||= meta.snapshot ?? '';
        if (reached === '' || meta.snapshot !== reached)
          throw new Unproven('The page of changes is of another snapshot.');
        changes.push(...data);
        pages = meta.total_pages ?? 1;
      }
      // The list is complete when it has as many changes as the API counted, each for a different listing.
      const ids = new Set(changes.map(({ affId }) => affId));
      if (changes.length !== total || ids.size !== total) throw new Unproven('The changes are incomplete.');
      if (total === 0 && reached !== since) return null;
      return { snapshot: reached, changes };
    },
    async feed() {
      return (await call<Feed>('/v1/feed')).data;
    },
    async history(id) {
      return (await call<History>(`/v1/properties/${encodeURIComponent(id)}/history`)).data;
    },
    async report(report) {
      const body = JSON.stringify({ crm, client, ...report });
      await read(
        await send('/v1/report', {}, { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
      );
    },
  };
}

function withoutSlashes(address: string): string {
  let end = address.length;
  while (address[end - 1] === '/') end -= 1;
  return address.slice(0, end);
}

/** @throws RetryLater when the lines' number or hash differ from the API's announcement. */
async function prove(lines: readonly ManifestLine[], { total, hash, snapshot }: Partial<ManifestMeta>): Promise<void> {
  const text = lines.map(({ affId, empreinte, photos = '' }) => `${affId}\t${empreinte}\t${photos}\n`).join('');
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  const found = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const isWhole = lines.length === total && new Set(lines.map(({ affId }) => affId)).size === total && found === hash;
  if (!isWhole || typeof snapshot !== 'string') throw new RetryLater('The manifest is incomplete.');
}
