import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { ownText } from '@passerelle/domain';
import { GatewayAccess } from '../access/gateway-access';
import { GatewayCache, gatewayName } from '../access/gateway-cache';
import { presentedKey } from '../access/gateway-request';
import { RateLimit } from '../access/rate-limit';
import { Clock } from '../clock';
import type { ApiConfig } from '../config';
import type { CachedBody } from '../http/cached-body';
import { Proxies } from '../http/proxies';
import { faultOf, toRequestId } from '../http/request-head';
import { LoggedRequest } from '../metrics/access-log';
import { Answers } from '../metrics/answers';
import { CONFIG } from '../tokens';
import { type AnsweredAddress, AnsweredAddresses } from '../properties/answered-addresses';
import { PageSender, wantsGzip } from '../properties/page-sender';
import { Pages } from '../properties/pages';
import { type PageQuery, pageRequest, readerOf } from '../properties/parameters';
import { ReaderWalks, type Requester } from '../properties/reader-walks';
import { type QuietWalk, type ServedSnapshot, ServedSnapshots } from '../properties/served-snapshots';

/** Hooks that Nest's adapter adds to every server. */
const NEST_HOOKS = ['anonymous', 'anonymous', 'anonymous', 'anonymous'] as const;

/**
 * Guards and hooks that the fast path bypasses; it does their work itself. A test compares this with the route's actual guards
 * and hooks: when you add one, decide here whether the fast path needs it.
 */
export const STANDS_FOR = {
  /** `access/gateway.guard.ts`: the parameters, the rate limit, the key. */
  guards: ['GatewayGuard'],
  pipes: [],
  interceptors: [],
  /** For the whole application. */
  globals: [],
  /** Fastify's hooks, in their order. */
  hooks: {
    /**
     * Refusal without a route, Host or TLS; raw bodies for calls of CRMs, which do not use the fast path; Nest's hooks for CORS,
     * versions and odd paths, which are not used; the headers of every response; count and log line of the response.
     */
    onRequest: ['refuseAtOnce', 'takeAsBytes', ...NEST_HOOKS, 'beginAnswer'],
    /** Nest's hook for an option that is not set. */
    onResponse: ['anonymous'],
    /** For requests with a body, which do not use the fast path. */
    preParsing: ['watchBody'],
    /** Compression and 304: for pages the sender does both. */
    onSend: ['toEncoded'],
  },
} as const;

/** Cached result for one requester; valid until the gateway changes. */
interface RememberedPage extends Pick<QuietWalk, 'snapshot' | 'seenPage'> {
  gatewayId: number;
  requester: Requester;
  /** The cache of pages decides how long it stays in memory. */
  page: WeakRef<CachedBody>;
  /** The number of changes at the time of caching. */
  changes: number;
  /** By the monotonic clock. */
  untilMs: number;
}

/** A page and its snapshot. */
interface FoundPage {
  gatewayId: number;
  snapshot: ServedSnapshot;
  page: CachedBody;
}

/** Cached data about an address that was answered before. */
interface Known {
  /** Its name in the cache of gateways. */
  gateway: string;
  logged: LoggedRequest;
  /** The result of the last request for it. */
  found: RememberedPage | null;
}

/** The total length of the values that identify a requester: a longer one is looked up each time. */
const MOST_REQUESTER_CHARACTERS = 500;
const ROUTE = '/v1/properties';

/**
 * Answers a request for a page before it reaches Fastify and Nest, when the page's address has been answered before, and the
 * gateway, its key and the page are in memory. It never refuses: any other request continues to its controller, which sends the
 * same bytes (docs/decisions/0010-the-fast-lane.md). `STANDS_FOR` lists the guards and hooks that it replaces.
 */
@Injectable()
export class Lane {
  private readonly known = new WeakMap<AnsweredAddress, Known>();

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
    private readonly addresses: AnsweredAddresses,
    private readonly sender: PageSender,
    private readonly answers: Answers,
  ) {}

  /** @returns whether it has answered the request, or has begun to. */
  take(request: IncomingMessage, response: ServerResponse): boolean {
    // An error thrown from here would end the process.
    try {
      return this.answer(request, response);
    } catch {
      // The controller meets the same error, and answers with it.
      if (response.headersSent) response.destroy();
      return response.headersSent;
    }
  }

  private answer(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, url = '', headers } = request;
    const address = method === 'GET' ? this.addresses.find(url) : undefined;
    const key = presentedKey(headers);
    if (address === undefined || key === null || this.rateLimit.isShared || this.isLeft(request)) return false;
    const start = this.answers.begin(request.socket);
    const id = toRequestId(headers['x-request-id']);
    const from = this.proxies.addressOf(request);
    const requester: Requester = { key, address: from, userAgent: headers['user-agent'] };
    const known = this.knownOf(address);
    const found = this.findAgain(known, requester) ?? this.find(known, address.query, requester, id);
    if (found === null || (!found.page.isReadyForGzip && wantsGzip(headers))) return false;
    const { page, snapshot } = found;
    const counted = this.rateLimit.countHere(found.gatewayId, from);
    // The controller counts it again: one more than necessary.
    if (counted !== null && counted.refusal !== null) return false;
    this.pages.figures.hits += 1;
    const cache = snapshot.cache === 'HIT' ? 'hit' : 'miss';
    response.once('close', () => {
      this.answers.end(response, { id, logged: () => known.logged, route: ROUTE, cache, start });
    });
    const answerHeaders = Object.entries(counted?.headers ?? {}).flat();
    this.sender.send({ id, headers, response, answerHeaders }, page, snapshot);
    return true;
  }

  private knownOf(address: AnsweredAddress): Known {
    let known = this.known.get(address);
    if (known === undefined) {
      const { crm, client } = address.query;
      const logged = new LoggedRequest({ method: 'GET', path: ROUTE, crm, client });
      known = { gateway: gatewayName(crm, client), logged, found: null };
      this.known.set(address, known);
    }
    return known;
  }

  /** The result of the last request for the address, while it is valid. */
  private findAgain({ found }: Known, requester: Requester): FoundPage | null {
    if (found === null || found.changes !== this.changes || !isSame(found.requester, requester)) return null;
    const nowMs = this.clock.monotonicMs();
    const page = found.page.deref();
    if (page === undefined || nowMs >= found.untilMs) return null;
    if (found.seenPage !== null && !this.walks.seeAgain(found.seenPage, nowMs)) return null;
    return { gatewayId: found.gatewayId, page, snapshot: found.snapshot };
  }

  private find(known: Known, query: PageQuery, requester: Requester, requestId: string): FoundPage | null {
    const { changes } = this;
    const caller = { address: requester.address, use: 'read', requestId } as const;
    const open = this.access.openCached(known.gateway, requester.key, caller);
    if (open === null) return null;
    const walk = this.snapshots.ofQuietWalk(
      open,
      pageRequest(query, () => readerOf(query, requester)),
    );
    if (walk === null) return null;
    const { id: gatewayId } = open.gateway;
    const { snapshot, seenPage, holdsMs } = walk;
    const page = this.pages.cached(snapshot, query);
    if (page === undefined) return null;
    const untilMs = this.clock.monotonicMs() + holdsMs;
    const kept = ownRequester(requester);
    known.found =
      kept === null
        ? null
        : { gatewayId, requester: kept, snapshot, seenPage, page: new WeakRef(page), changes, untilMs };
    return { gatewayId, page, snapshot };
  }

  /** The number of changes that may invalidate cached results. */
  private get changes(): number {
    return this.gateways.changes + this.walks.changes;
  }

  /** Whether the hooks may refuse it, or it has a body, which the parser may not be able to read. */
  private isLeft(request: IncomingMessage): boolean {
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
    if (faultOf(request) !== null || coding !== undefined || (length !== undefined && length !== '0')) return true;
    return this.config.requireHttps && !this.proxies.isSecure(request);
  }
}

/** A copy of the requester that may be cached; null for one that takes too much memory. */
function ownRequester({ key, address, userAgent }: Requester): Requester | null {
  if (key.length + (address?.length ?? 0) + (userAgent?.length ?? 0) > MOST_REQUESTER_CHARACTERS) return null;
  const own = (text: string | undefined): string | undefined => text && ownText(text);
  return { key: ownText(key), address: own(address), userAgent: own(userAgent) };
}

function isSame(a: Requester, b: Requester): boolean {
  return a.key === b.key && a.address === b.address && a.userAgent === b.userAgent;
}
