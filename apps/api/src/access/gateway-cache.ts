import type { ServedGateway } from '@passerelle/database';
import type { Clock } from '../clock';

/** A gateway as it was read, with what belongs to exactly that reading. */
export interface CachedGateway {
  readonly gateway: ServedGateway;
  /** By the monotonic clock. */
  readonly readAtMs: number;
  /** Keys that were found right, so that they are hashed once; with when each ends, `Infinity` for never. */
  readonly rightKeys: Map<string, number>;
}

export interface Reading {
  /** Null when there is no such gateway. */
  readonly cached: CachedGateway | null;
  readonly readAtMs: number;
}

type FindGateway = (crm: string, client: string) => Promise<ServedGateway | null>;

/** Even a lost notification is made good after this. */
const KNOWN_TTL_MS = 5_000;
const UNKNOWN_TTL_MS = 1_000;
const MOST_ENTRIES = 10_000;
const MOST_RIGHT_KEYS = 16;

/**
 * Gateways as last read, dropped when PostgreSQL says that they have changed. While nothing is heard from PostgreSQL,
 * nothing is remembered.
 */
export class GatewayCache {
  private readonly known = new Map<string, Reading>();
  private readonly unknown = new Map<string, Reading>();
  private readonly loading = new Map<string, Promise<Reading>>();
  private isListening = false;
  /** Counts what was heard: a reading that began before the last news is not remembered. */
  private news = 0;

  constructor(
    private readonly find: FindGateway,
    private readonly clock: Clock,
  ) {}

  /** What is remembered of a gateway, or null. */
  remembered(crm: string, client: string): Reading | null {
    const name = nameOf(crm, client);
    return this.fresh(this.known, name, KNOWN_TTL_MS) ?? this.fresh(this.unknown, name, UNKNOWN_TTL_MS);
  }

  /** Reads a gateway now. Readers that come at the same time share one query. */
  read(crm: string, client: string): Promise<Reading> {
    const name = nameOf(crm, client);
    const loading = this.loading.get(name);
    if (loading !== undefined) return loading;
    const reading = this.load(name, crm, client).finally(() => {
      if (this.loading.get(name) === reading) this.loading.delete(name);
    });
    this.loading.set(name, reading);
    return reading;
  }

  /** A gateway has changed; it may be a new one. */
  forget(gatewayId: number): void {
    this.news += 1;
    this.loading.clear();
    this.unknown.clear();
    for (const [name, { cached }] of this.known) {
      if (cached?.gateway.id === gatewayId) this.known.delete(name);
    }
  }

  /** Says whether changes are heard of from now on. Whatever was read before is dropped. */
  setListening(isListening: boolean): void {
    this.isListening = isListening;
    this.news += 1;
    this.loading.clear();
    this.known.clear();
    this.unknown.clear();
  }

  private async load(name: string, crm: string, client: string): Promise<Reading> {
    const news = this.news;
    const readAtMs = this.clock.monotonicMs();
    const gateway = await this.find(crm, client);
    const reading: Reading = {
      readAtMs,
      cached: gateway === null ? null : { gateway, readAtMs, rightKeys: new Map() },
    };
    if (this.isListening && news === this.news) this.remember(name, reading);
    return reading;
  }

  private remember(name: string, reading: Reading): void {
    const [entries, others] = reading.cached === null ? [this.unknown, this.known] : [this.known, this.unknown];
    others.delete(name);
    entries.delete(name);
    entries.set(name, reading);
    if (entries.size > MOST_ENTRIES) entries.delete(entries.keys().next().value ?? '');
  }

  private fresh(entries: Map<string, Reading>, name: string, ttlMs: number): Reading | null {
    const reading = entries.get(name);
    if (reading === undefined) return null;
    if (this.clock.monotonicMs() - reading.readAtMs < ttlMs) return reading;
    entries.delete(name);
    return null;
  }
}

/** Keeps a key that was found right with the reading it was checked against. */
export function rememberRightKey(cached: CachedGateway, key: string, endsAtMs: number): void {
  if (cached.rightKeys.size < MOST_RIGHT_KEYS) cached.rightKeys.set(key, endsAtMs);
}

// Neither part can hold a slash.
function nameOf(crm: string, client: string): string {
  return `${crm}/${client}`;
}
