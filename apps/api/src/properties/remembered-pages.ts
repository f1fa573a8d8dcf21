import { LoggedRequest } from '../metrics/access-log';
import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { ownText } from '@passerelle/domain';
import type { Counted } from '@passerelle/limits';
import { LRUCache } from 'lru-cache';
import { GatewayAccess } from '../access/gateway-access';
import { GatewayCache, gatewayName } from '../access/gateway-cache';
import { presentedKey } from '../access/gateway-request';
import { RateLimit } from '../access/rate-limit';
import { Clock } from '../clock';
import type { CachedBody } from '../http/cached-body';
import { Proxies } from '../http/proxies';
import type { KnownAnswer } from '../metrics/answers';
import { wantsGzip } from './page-sender';
import { Pages } from './pages';
import { type PageQuery, pageRequest, readerOf } from './parameters';
import { PaginationSessions, type Requester } from './pagination-sessions';
import { type QuietSession, type ServedSnapshot, ServedSnapshots } from './served-snapshots';

export interface FoundPage {
  gatewayId: number;
  /** The client's address. */
  address: string | undefined;
  snapshot: ServedSnapshot;
  page: CachedBody;
  known: KnownAnswer;
  /** Counts the request against the limit; null when there is no limit. */
  count: (() => Counted) | null;
}

/** Cached result for one requester; valid until the gateway changes. */
interface RememberedPage extends Pick<QuietSession, 'snapshot' | 'seenPage'>, Pick<FoundPage, 'gatewayId' | 'count'> {
  requester: Requester;
  /** The page cache decides how long the page stays in memory. */
  page: WeakRef<CachedBody>;
  /** The number of changes at the time of caching. */
  changes: number;
  /** By the monotonic clock. */
  untilMs: number;
}

/** A URL that a controller has answered with a page. */
interface KnownAddress extends KnownAnswer {
  query: PageQuery;
  /** The gateway's name in the cache of gateways. */
  gateway: string;
  /** The results of the last requesters of the URL, the newest first. */
  found: RememberedPage[];
}

const MOST_ADDRESSES = 2_000;
const MOST_ADDRESS_CHARACTERS = 500;
/** The servers of one site share a key, but have different addresses. */
const MOST_REQUESTERS = 4;
/** The total length of the values that identify a requester: a longer one is looked up each time. */
const MOST_REQUESTER_CHARACTERS = 500;
const ROUTE = '/v1/properties';

/** Finds known pages without reading parameters or hashing the key again. It never refuses a request. */
@Injectable()
export class RememberedPages {
  private readonly addresses = new LRUCache<string, KnownAddress>({ max: MOST_ADDRESSES });

  constructor(
    private readonly proxies: Proxies,
    private readonly clock: Clock,
    private readonly gateways: GatewayCache,
    private readonly access: GatewayAccess,
    private readonly rateLimit: RateLimit,
    private readonly sessions: PaginationSessions,
    private readonly snapshots: ServedSnapshots,
    private readonly pages: Pages,
  ) {}

  learn(url: string, query: PageQuery): void {
    if (url.length > MOST_ADDRESS_CHARACTERS || this.addresses.has(url)) return;
    const [crm, client] = [ownText(query.crm), ownText(query.client)];
    this.addresses.set(ownText(url), {
      route: ROUTE,
      logged: new LoggedRequest({ method: 'GET', path: ROUTE, crm, client }),
      query: { ...query, crm, client },
      gateway: gatewayName(crm, client),
      found: [],
    });
  }

  knows({ method, url = '' }: IncomingMessage): boolean {
    return method === 'GET' && this.addresses.has(url);
  }

  /** The page of a request; null when needed data is not in memory, or may have changed. */
  find(request: IncomingMessage, requestId: string): FoundPage | null {
    const { method, url = '', headers } = request;
    const known = method === 'GET' ? this.addresses.get(url) : undefined;
    const key = presentedKey(headers);
    if (known === undefined || key === null) return null;
    const requester = { key, address: this.proxies.addressOf(request), userAgent: headers['user-agent'] };
    const found = this.findAgain(known, requester) ?? this.lookUp(known, requester, requestId);
    return found !== null && !found.page.isReadyForGzip && wantsGzip(headers) ? null : found;
  }

  noteHit(): void {
    this.pages.figures.hits += 1;
  }

  private findAgain(known: KnownAddress, requester: Requester): FoundPage | null {
    const found = known.found.find((one) => isSame(one.requester, requester));
    if (found === undefined || found.changes !== this.changes) return null;
    const nowMs = this.clock.monotonicMs();
    const page = found.page.deref();
    if (page === undefined || nowMs >= found.untilMs) return null;
    if (found.seenPage !== null && !this.sessions.seeAgain(found.seenPage, nowMs)) return null;
    const { gatewayId, snapshot, count } = found;
    return { gatewayId, address: requester.address, snapshot, page, known, count };
  }

  private lookUp(known: KnownAddress, requester: Requester, requestId: string): FoundPage | null {
    const { changes } = this;
    const { query, gateway } = known;
    const { key, address } = requester;
    const open = this.access.openCached(gateway, key, { address, use: 'read', requestId });
    if (open === null) return null;
    const session = this.snapshots.ofQuietSession(
      open,
      pageRequest(query, () => readerOf(query, requester)),
    );
    if (session === null) return null;
    const { snapshot, seenPage, holdsMs } = session;
    const page = this.pages.cached(snapshot, query);
    if (page === undefined) return null;
    const gatewayId = open.gateway.id;
    const count = this.rateLimit.counterHere(gatewayId, address);
    const untilMs = this.clock.monotonicMs() + holdsMs;
    remember(known, requester, { gatewayId, snapshot, seenPage, count, page: new WeakRef(page), changes, untilMs });
    return { gatewayId, address, snapshot, page, known, count };
  }

  private get changes(): number {
    return this.gateways.changes + this.sessions.changes;
  }
}

function remember(known: KnownAddress, requester: Requester, result: Omit<RememberedPage, 'requester'>): void {
  const own = ownRequester(requester);
  if (own === null) return;
  const others = known.found.filter((one) => !isSame(one.requester, own)).slice(0, MOST_REQUESTERS - 1);
  known.found = [{ ...result, requester: own }, ...others];
}

/** A copy of the requester that may be cached; null if it takes too much memory. */
function ownRequester({ key, address, userAgent }: Requester): Requester | null {
  if (key.length + (address?.length ?? 0) + (userAgent?.length ?? 0) > MOST_REQUESTER_CHARACTERS) return null;
  const own = (text: string | undefined): string | undefined => text && ownText(text);
  return { key: ownText(key), address: own(address), userAgent: own(userAgent) };
}

function isSame(a: Requester, b: Requester): boolean {
  return a.key === b.key && a.address === b.address && a.userAgent === b.userAgent;
}
