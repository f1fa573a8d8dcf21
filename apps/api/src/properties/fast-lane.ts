import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { GatewayAccess } from '../access/gateway-access';
import { GatewayCache, gatewayName } from '../access/gateway-cache';
import { presentedKey } from '../access/presented-key';
import { RateLimit } from '../access/rate-limit';
import { Clock } from '../clock';
import type { ApiConfig } from '../config';
import type { KeptBody } from '../http/kept-body';
import { directConnection } from '../http/direct-answer';
import { Proxies } from '../http/proxies';
import { faultOf } from '../http/request-fault';
import { toRequestId } from '../http/request-id';
import { Answers } from '../metrics/answers';
import { CONFIG } from '../tokens';
import { PageSender, wantsGzip } from './page-sender';
import { Pages } from './pages';
import { type PageQuery, readerOf, walkedPage } from './parameters';
import { type Asker, ReaderWalks } from './reader-walks';
import { type QuietWalk, type ServedSnapshot, ServedSnapshots } from './served-snapshots';

/** What an address asks for. */
interface Address {
  query: PageQuery;
  /** As the cache of gateways calls it. */
  gateway: string;
  /** What the last request for it has found. */
  found: Found | null;
}

/** What holds for the same asker until somebody is told of a change. */
interface Found extends Pick<QuietWalk, 'snapshot' | 'sighting'> {
  asker: Asker;
  /** The cache of pages decides how long it stays in memory. */
  page: WeakRef<KeptBody>;
  /** As many changes had been told. */
  changes: number;
  /** By the monotonic clock. */
  untilMs: number;
}

/** What a request is answered with. */
interface Answer {
  snapshot: ServedSnapshot;
  page: KeptBody;
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
    private readonly clock: Clock,
    private readonly gateways: GatewayCache,
    private readonly access: GatewayAccess,
    private readonly rateLimit: RateLimit,
    private readonly walks: ReaderWalks,
    private readonly snapshots: ServedSnapshots,
    private readonly pages: Pages,
    private readonly sender: PageSender,
    private readonly answers: Answers,
  ) {}

  /** Takes note of an address of a page of a walk that a controller has answered. */
  learn(url: string, query: PageQuery): void {
    if (url.length > MOST_ADDRESS_CHARACTERS || this.addresses.has(url)) return;
    this.addresses.set(url, { query, gateway: gatewayName(query.crm, query.client), found: null });
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
    const start = this.answers.begin(request.socket);
    const id = toRequestId(headers['x-request-id']);
    const asker: Asker = { key, address: this.proxies.addressOf(request), userAgent: headers['user-agent'] };
    const answer = this.findAgain(address, asker) ?? this.find(address, asker, id);
    if (answer === null || (!answer.page.isReadyForGzip && wantsGzip(headers))) return false;
    const { page, snapshot } = answer;
    this.sender.send({ id, headers, response, direct: directConnection(request, response) }, page, snapshot);
    this.pages.figures.hits += 1;
    const { crm, client } = address.query;
    const cache = snapshot.cache === 'HIT' ? 'hit' : 'miss';
    const end = { route: ROUTE, status: response.statusCode, cache, start } as const;
    this.answers.end(() => ({ id, method, path: ROUTE, crm, client }), end);
    return true;
  }

  /** What the last request for the address has found, as long as it holds. */
  private findAgain({ found }: Address, asker: Asker): Answer | null {
    if (found === null || found.changes !== this.changes || !isSame(found.asker, asker)) return null;
    const nowMs = this.clock.monotonicMs();
    const page = found.page.deref();
    if (page === undefined || nowMs >= found.untilMs) return null;
    if (found.sighting !== null && !this.walks.seeAgain(found.sighting, nowMs)) return null;
    return { page, snapshot: found.snapshot };
  }

  private find(address: Address, asker: Asker, requestId: string): Answer | null {
    const { query, gateway } = address;
    const { changes } = this;
    const open = this.access.openCached(gateway, asker.key, requestId);
    const walk =
      open === null
        ? null
        : this.snapshots.ofQuietWalk(
            open,
            walkedPage(query, () => readerOf(query, asker)),
          );
    if (walk === null) return null;
    const { snapshot, sighting, holdsMs } = walk;
    const page = this.pages.cached(snapshot, query);
    if (page === undefined) return null;
    const untilMs = this.clock.monotonicMs() + holdsMs;
    address.found = { asker, snapshot, sighting, page: new WeakRef(page), changes, untilMs };
    return { page, snapshot };
  }

  /** How many changes were told of what is found. */
  private get changes(): number {
    return this.gateways.changes + this.walks.changes;
  }

  private isRefused(request: IncomingMessage): boolean {
    return faultOf(request) !== null || (this.config.requireHttps && !this.proxies.isSecure(request));
  }
}

function isSame(a: Asker, b: Asker): boolean {
  return a.key === b.key && a.address === b.address && a.userAgent === b.userAgent;
}
