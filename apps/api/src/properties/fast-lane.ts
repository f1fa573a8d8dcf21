import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Door } from '../access/door';
import { parameterReader } from '../http/parameters';
import type { CurrentSnapshots } from './current-snapshot';
import type { Pages } from './page-bytes';
import type { PageSender } from './page-sender';
import { PAGE_PARAMETERS, type PageQuery } from './parameters';

const readPageQuery = parameterReader<PageQuery>(PAGE_PARAMETERS);
const MOST_QUERIES = 2_000;
const LONGEST_KEPT_ADDRESS = 500;

/**
 * Answers a request for a page before it reaches a controller, when everything that the answer needs is in memory: the
 * gateway, its right key, the page. It never refuses anything: whatever is not at hand goes the ordinary way, which comes
 * to the same answer.
 */
export class FastLane {
  private readonly queries = new Map<string, PageQuery>();

  constructor(
    private readonly door: Door,
    private readonly snapshots: CurrentSnapshots,
    private readonly pages: Pages,
    private readonly sender: PageSender,
  ) {}

  /** @returns whether the request was answered. */
  take(request: FastifyRequest, reply: FastifyReply): boolean {
    if (request.method !== 'GET' || !request.url.startsWith('/v1/properties?')) return false;
    try {
      const query = this.queryOf(request);
      const open = this.door.openRemembered(request, query);
      const snapshot = open === null ? null : this.snapshots.served(open);
      const page = snapshot === null ? undefined : this.pages.remembered(snapshot, query);
      if (snapshot === null || page === undefined) return false;
      this.sender.send(request, reply, page, snapshot.cache);
      return true;
    } catch {
      // What is wrong with it is found again on the ordinary way, and said there.
      return false;
    }
  }

  /** Readers ask for the same few addresses again and again. */
  private queryOf(request: FastifyRequest): PageQuery {
    let query = this.queries.get(request.url);
    if (query === undefined) {
      query = readPageQuery(request.query);
      if (this.queries.size >= MOST_QUERIES) this.queries.clear();
      if (request.url.length <= LONGEST_KEPT_ADDRESS) this.queries.set(request.url, query);
    }
    return query;
  }
}
