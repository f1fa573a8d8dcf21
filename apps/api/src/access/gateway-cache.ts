import { Inject, Injectable } from '@nestjs/common';
import { retryLostRead, type ServedGateway, ServedGateways, type ServedKey } from '@passerelle/database';
import { isInScope, type KeyUse, ownText } from '@passerelle/domain';
import { Networks } from '@passerelle/limits';
import { LRUCache } from 'lru-cache';
import { Clock } from '../clock';
import type { ApiConfig } from '../config';
import { CONFIG } from '../tokens';

export interface KeyRequest {
  use: KeyUse;
  /** Undefined when the client has disconnected. */
  address: string | undefined;
}

export class MatchedApiKey {
  /** `Infinity` for a key that does not expire. */
  readonly endsAtMs: number;
  private readonly networks: Networks | null;

  constructor(readonly stored: ServedKey) {
    this.endsAtMs = stored.expiresAtMs ?? Infinity;
    this.networks = stored.networks === null ? null : new Networks(stored.networks);
  }

  /** Whether the key is valid for this request. If not, the request is refused as with a wrong key. */
  permits({ use, address }: KeyRequest, nowMs: number): boolean {
    return nowMs < this.endsAtMs && isInScope(this.stored, use) && (this.networks?.has(address) ?? true);
  }
}

/** A gateway as it was read, with the keys that were checked against this read. */
export interface CachedGateway {
  readonly gateway: ServedGateway;
  /** By the monotonic clock. */
  readonly readAtMs: number;
  /** The stored entries of each matching key, so that each key is hashed only once. */
  readonly matchedKeys: Map<string, readonly MatchedApiKey[]>;
}

export interface GatewayLookup {
  /** Null when there is no such gateway. */
  readonly cached: CachedGateway | null;
  /** By the monotonic clock. */
  readonly readAtMs: number;
}

/** A change whose notification is lost takes effect after this time at the latest. */
export const KNOWN_TTL_MS = 5_000;
const UNKNOWN_TTL_MS = 1_000;
const MOST_ENTRIES = 10_000;
const MAX_MATCHED_KEYS = 16;

/** Gateways as last read. While notifications of changes do not arrive, nothing is cached. */
@Injectable()
export class GatewayCache {
  private readonly known: LRUCache<string, GatewayLookup>;
  private readonly unknown: LRUCache<string, GatewayLookup>;
  private readonly loading = new Map<string, Promise<GatewayLookup>>();
  private isListening = false;
  /** Counts notifications: a read is not cached if it began before the last notification. */
  private notifications = 0;
  /** Counts the reads that were cached; each may replace an earlier read. */
  private replacements = 0;

  constructor(
    @Inject(ServedGateways) private readonly gateways: Pick<ServedGateways, 'find'>,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<ApiConfig, 'walkSeconds'>,
  ) {
    const options = { max: MOST_ENTRIES, ttlResolution: 0, perf: { now: () => clock.monotonicMs() } };
    this.known = new LRUCache({ ...options, ttl: KNOWN_TTL_MS });
    // A separate cache: invented names must not evict gateways that exist.
    this.unknown = new LRUCache({ ...options, ttl: UNKNOWN_TTL_MS });
  }

  /** Grows whenever a cached read may have changed, but not when an entry expires. */
  get changes(): number {
    return this.notifications + this.replacements;
  }

  get(crm: string, client: string): GatewayLookup | null {
    return this.named(gatewayName(crm, client));
  }

  /** The last read of a gateway. Callers keep the name, because each new string would be hashed again. */
  named(name: string): GatewayLookup | null {
    return this.known.get(name) ?? this.unknown.get(name) ?? null;
  }

  /** Reads a gateway now. Concurrent readers share one query. */
  read(crm: string, client: string): Promise<GatewayLookup> {
    const name = gatewayName(crm, client);
    const loading = this.loading.get(name);
    if (loading !== undefined) return loading;
    const lookup = this.load(name, crm, client).finally(() => {
      if (this.loading.get(name) === lookup) this.loading.delete(name);
    });
    this.loading.set(name, lookup);
    return lookup;
  }

  /** Called when a gateway was changed or added. */
  forget(gatewayId: number): void {
    this.notifications += 1;
    this.loading.clear();
    this.unknown.clear();
    const names = [...this.known.entries()].filter(([, { cached }]) => cached?.gateway.id === gatewayId);
    for (const [name] of names) this.known.delete(name);
  }

  /** Called when notifications stop or resume. Drops all earlier reads. */
  setListening(isListening: boolean): void {
    this.isListening = isListening;
    this.notifications += 1;
    this.loading.clear();
    this.known.clear();
    this.unknown.clear();
  }

  private async load(name: string, crm: string, client: string): Promise<GatewayLookup> {
    const { notifications } = this;
    const readAtMs = this.clock.monotonicMs();
    const gateway = await retryLostRead(() => this.gateways.find(crm, client, this.config.walkSeconds));
    const lookup: GatewayLookup = {
      readAtMs,
      cached: gateway === null ? null : { gateway, readAtMs, matchedKeys: new Map() },
    };
    if (this.isListening && notifications === this.notifications) this.keep(name, lookup);
    return lookup;
  }

  private keep(name: string, lookup: GatewayLookup): void {
    const [entries, others] = lookup.cached === null ? [this.unknown, this.known] : [this.known, this.unknown];
    this.replacements += 1;
    others.delete(name);
    // The entry's age counts from the start of the query.
    entries.set(ownText(name), lookup, { start: lookup.readAtMs });
  }
}

export function noteMatchedKey(cached: CachedGateway, key: string, stored: readonly MatchedApiKey[]): void {
  if (cached.matchedKeys.size < MAX_MATCHED_KEYS) cached.matchedKeys.set(ownText(key), stored);
}

/** The cache name of a gateway. Connector and client cannot contain a slash. */
export function gatewayName(crm: string, client: string): string {
  return `${crm}/${client}`;
}
