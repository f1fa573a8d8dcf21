import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { GatewayAccess } from '../access/gateway-access';
import { presentedKey } from '../access/presented-key';
import { RateLimit } from '../access/rate-limit';
import { Answers } from '../metrics/answers';
import { PageSender, wantsGzip } from './page-sender';
import { Pages } from './pages';
import { type PageQuery, readPageQuery, walkedPage } from './parameters';
import { ServedSnapshots } from './served-snapshots';

const ROUTE = '/v1/properties';
const MOST_QUERIES = 2_000;
const MAX_CACHED_ADDRESS_CHARACTERS = 500;

/**
 * Answers a request for a page before it reaches Nest, when the gateway, its key and the page are all in memory. It never
 * refuses: any other request goes on to its controller, which sends the same bytes (docs/decisions/0010-the-fast-lane.md).
 */
@Injectable()
export class FastLane {
  /** What the addresses that readers ask for again and again say. */
  private readonly queries = new LRUCache<string, PageQuery>({ max: MOST_QUERIES });

  constructor(
    private readonly access: GatewayAccess,
    private readonly rateLimit: RateLimit,
    private readonly snapshots: ServedSnapshots,
    private readonly pages: Pages,
    private readonly sender: PageSender,
    private readonly answers: Answers,
  ) {}

  /** @returns whether it has answered the request. */
  take(request: FastifyRequest, reply: FastifyReply): boolean {
    if (request.method !== 'GET' || !request.url.startsWith('/v1/properties?') || this.rateLimit.isOn) return false;
    const key = presentedKey(request.headers);
    if (key === null) return false;
    const start = this.answers.begin(request);
    try {
      const query = this.queryOf(request);
      const open = this.access.openCached(query.crm, query.client, key, request.id);
      if (open === null || query.snapshot !== undefined || query.ids !== undefined) return false;
      const snapshot = this.snapshots.ofQuietWalk(open, walkedPage(request, key, query));
      const page = snapshot === null ? undefined : this.pages.cached(snapshot, query);
      if (snapshot === null || page === undefined || (!page.isReadyForGzip && wantsGzip(request))) return false;
      this.sender.send(request, reply, page, snapshot);
      this.pages.figures.hits += 1;
      const cache = snapshot.cache === 'HIT' ? 'hit' : 'miss';
      this.answers.end(request, { route: ROUTE, status: reply.raw.statusCode, cache, start });
      return true;
    } catch {
      // The controller's guard finds the same fault, and answers with it.
      return false;
    }
  }

  private queryOf(request: FastifyRequest): PageQuery {
    let query = this.queries.get(request.url);
    if (query === undefined) {
      query = readPageQuery(request);
      if (request.url.length <= MAX_CACHED_ADDRESS_CHARACTERS) this.queries.set(request.url, query);
    }
    return query;
  }
}
