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
import { Answers, type AnswerStart } from '../metrics/answers';
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

/** A page, and the snapshot that it comes from. */
interface FoundPage {
  snapshot: ServedSnapshot;
  page: KeptBody;
}

/** What a request is answered with. */
interface Answer extends FoundPage {
  id: string;
  start: AnswerStart;
  query: PageQuery;
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
    // A failure that is thrown from here would end the process.
    try {
      const answer = this.answerTo(request);
      if (answer === null) return false;
      const { headers } = request;
      const direct = directConnection(request, response);
      this.sender.send({ id: answer.id, headers, response, direct }, answer.page, answer.snapshot);
      this.count(answer, response.statusCode);
      return true;
    } catch {
      // The controller meets the same failure, and answers with it.
      return false;
    }
  }

  private answerTo(request: IncomingMessage): Answer | null {
    const { method, url = '', headers } = request;
    if (method !== 'GET' || this.rateLimit.isOn) return null;
    const address = this.addresses.get(url);
    const key = presentedKey(headers);
    if (address === undefined || key === null || this.isRefused(request)) return null;
    const start = this.answers.begin(request.socket);
    const id = toRequestId(headers['x-request-id']);
    const asker: Asker = { key, address: this.proxies.addressOf(request), userAgent: headers['user-agent'] };
    const found = this.findAgain(address, asker) ?? this.find(address, asker, id);
    if (found === null || (!found.page.isReadyForGzip && wantsGzip(headers))) return null;
    return { id, start, query: address.query, page: found.page, snapshot: found.snapshot };
  }

  private count({ id, start, query, snapshot }: Answer, status: number): void {
    this.pages.figures.hits += 1;
    const { crm, client } = query;
    const cache = snapshot.cache === 'HIT' ? 'hit' : 'miss';
    try {
      this.answers.end(() => ({ id, method: 'GET', path: ROUTE, crm, client }), { route: ROUTE, status, cache, start });
    } catch {
      // The reader has the answer.
    }
  }

  /** What the last request for the address has found, as long as it holds. */
  private findAgain({ found }: Address, asker: Asker): FoundPage | null {
    if (found === null || found.changes !== this.changes || !isSame(found.asker, asker)) return null;
    const nowMs = this.clock.monotonicMs();
    const page = found.page.deref();
    if (page === undefined || nowMs >= found.untilMs) return null;
    if (found.sighting !== null && !this.walks.seeAgain(found.sighting, nowMs)) return null;
    return { page, snapshot: found.snapshot };
  }

  private find(address: Address, asker: Asker, requestId: string): FoundPage | null {
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
