import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { GatewayAccess } from '../access/gateway-access';
import { gatewayName } from '../access/gateway-cache';
import { presentedKey } from '../access/presented-key';
import { RateLimit } from '../access/rate-limit';
import type { ApiConfig } from '../config';
import { Proxies } from '../http/proxies';
import { faultOf } from '../http/request-fault';
import { toRequestId } from '../http/request-id';
import { Answers } from '../metrics/answers';
import { CONFIG } from '../tokens';
import { PageSender, wantsGzip } from './page-sender';
import { Pages } from './pages';
import { type PageQuery, readerOf, walkedPage } from './parameters';
import type { Reader } from './reader-walks';
import { ServedSnapshots } from './served-snapshots';

/** What an address asks for. */
interface Address {
  query: PageQuery;
  /** As the cache of gateways calls it. */
  gateway: string;
}

const ROUTE = '/v1/properties';
const MOST_ADDRESSES = 2_000;
const MOST_ADDRESS_CHARACTERS = 500;

/**
 * Answers a request for a page before it reaches Fastify and Nest, when the page's address has been answered before, and
 * the gateway, its key and the page are in memory. It never refuses: any other request goes on to its controller, which
 * sends the same bytes (docs/decisions/0010-the-fast-lane.md).
 */
@Injectable()
export class FastLane {
  /** What the addresses say that readers ask for again and again. */
  private readonly addresses = new LRUCache<string, Address>({ max: MOST_ADDRESSES });

  constructor(
    @Inject(CONFIG) private readonly config: Pick<ApiConfig, 'requireHttps'>,
    private readonly proxies: Proxies,
    private readonly access: GatewayAccess,
    private readonly rateLimit: RateLimit,
    private readonly snapshots: ServedSnapshots,
    private readonly pages: Pages,
    private readonly sender: PageSender,
    private readonly answers: Answers,
  ) {}

  /** Takes note of an address of a page of a walk that a controller has answered. */
  learn(url: string, query: PageQuery): void {
    if (url.length > MOST_ADDRESS_CHARACTERS || this.addresses.has(url)) return;
    this.addresses.set(url, { query, gateway: gatewayName(query.crm, query.client) });
  }

  /** @returns whether it has answered the request. */
  take(request: IncomingMessage, response: ServerResponse): boolean {
    try {
      return this.answer(request, response);
    } catch {
      // Thrown from here it would end the process: the controller meets the same failure, and answers with it.
      return false;
    }
  }

  private answer(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, url = '', headers } = request;
    if (method !== 'GET' || this.rateLimit.isOn) return false;
    const address = this.addresses.get(url);
    const key = presentedKey(headers);
    if (address === undefined || key === null || this.isRefused(request)) return false;
    const { query, gateway } = address;
    const start = this.answers.begin(request.socket);
    const id = toRequestId(headers['x-request-id']);
    const open = this.access.openCached(gateway, key, id);
    const reader = (): Reader => readerOf(query, key, this.proxies.addressOf(request), headers);
    const snapshot = open === null ? null : this.snapshots.ofQuietWalk(open, walkedPage(query, reader));
    const page = snapshot === null ? undefined : this.pages.cached(snapshot, query);
    if (snapshot === null || page === undefined || (!page.isReadyForGzip && wantsGzip(headers))) return false;
    this.sender.send({ id, headers, response }, page, snapshot);
    this.pages.figures.hits += 1;
    const { crm, client } = query;
    const cache = snapshot.cache === 'HIT' ? 'hit' : 'miss';
    const end = { route: ROUTE, status: response.statusCode, cache, start } as const;
    this.answers.end(() => ({ id, method, path: ROUTE, crm, client }), end);
    return true;
  }

  private isRefused(request: IncomingMessage): boolean {
    return faultOf(request) !== null || (this.config.requireHttps && !this.proxies.isSecure(request));
  }
}
