import { setTimeout as sleep } from 'node:timers/promises';
import type { ServedGateway } from '@passerelle/database';
import { ApiError, hashApiKey, isGatewayActive, matchesApiKey } from '@passerelle/domain';
import type { Clock } from '../clock';
import { type CachedGateway, type GatewayCache, type Reading, rememberRightKey } from './gateway-cache';

/** A gateway that may be served, and how old what we know of it is. */
export interface OpenGateway {
  gateway: ServedGateway;
  /** Time since its confirmation, by the database's clock; null when nothing has been confirmed. */
  confirmedAgeMs: number | null;
}

/** For so long after a refusal, the next one is answered from memory. */
const REFUSAL_MEMORY_MS = 1_000;
/** A refusal never comes sooner: what it had to look up does not show. */
const REFUSAL_MIN_MS = 20;

/** Decides who may read or report for a gateway. */
export class Access {
  private readonly refusedAtMs = new WeakMap<Reading, number>();

  constructor(
    private readonly cache: GatewayCache,
    private readonly pepper: Buffer,
    private readonly clock: Clock,
  ) {}

  /**
   * Opens the gateway for whoever has its key.
   *
   * Refusals take one road and at least the same time, so that they do not tell an unknown gateway from a wrong key:
   * unless the gateway was read for a refusal within the last second, it is read anew. That also finds a key that was
   * made a moment ago.
   *
   * @throws ApiError AUTH_FAILED, and FORBIDDEN only with a right key.
   */
  async open(crm: string, client: string, key: string | null): Promise<OpenGateway> {
    const presented = key ?? '';
    const remembered = this.cache.remembered(crm, client);
    const known = remembered?.cached ?? null;
    if (this.isRightKey(known, presented)) return this.admit(known);
    const startedMs = this.clock.monotonicMs();
    if (remembered === null || !this.isRefusalRemembered(remembered)) {
      const reading = await this.cache.read(crm, client);
      if (this.isRightKey(reading.cached, presented)) return this.admit(reading.cached);
      this.refusedAtMs.set(reading, this.clock.monotonicMs());
    }
    await sleep(Math.max(0, REFUSAL_MIN_MS - (this.clock.monotonicMs() - startedMs)));
    throw new ApiError('AUTH_FAILED', 'The API key, or the combination of client and crm, is invalid.', undefined, {
      'www-authenticate': 'Bearer realm="listings"',
    });
  }

  /** Opens the gateway if it is remembered and the key is known to be right, else null. @throws ApiError FORBIDDEN */
  openRemembered(crm: string, client: string, key: string): OpenGateway | null {
    const cached = this.cache.remembered(crm, client)?.cached ?? null;
    return this.isRightKey(cached, key) ? this.admit(cached) : null;
  }

  /** Reads the gateway again, past the memory, without asking for the key once more. */
  async reopen({ crm, client }: ServedGateway): Promise<OpenGateway> {
    const { cached } = await this.cache.read(crm, client);
    if (cached === null) throw new ApiError('AUTH_FAILED', 'The gateway was removed.');
    return this.admit(cached);
  }

  private isRefusalRemembered(reading: Reading): boolean {
    const at = this.refusedAtMs.get(reading);
    return at !== undefined && this.clock.monotonicMs() - at < REFUSAL_MEMORY_MS;
  }

  private isRightKey(cached: CachedGateway | null, key: string): cached is CachedGateway {
    const nowMs = this.clock.nowMs();
    const endsAtMs = cached?.rightKeys.get(key);
    if (endsAtMs !== undefined) return nowMs < endsAtMs;
    const hash = hashApiKey(key, this.pepper);
    const keys = cached?.gateway.keys ?? [];
    const isRight = matchesApiKey(hash, keys, nowMs) && key !== '';
    if (isRight && cached !== null) {
      // The same key may be stored more than once; it is right until its last end.
      const ends = keys.filter((stored) => stored.hash.equals(hash)).map((stored) => stored.expiresAtMs ?? Infinity);
      rememberRightKey(cached, key, Math.max(...ends));
    }
    return isRight;
  }

  private admit({ gateway, readAtMs }: CachedGateway): OpenGateway {
    if (!isGatewayActive(gateway, new Date(this.clock.nowMs()))) {
      throw new ApiError('FORBIDDEN', 'This gateway is disabled.');
    }
    const { confirmedAgeMs } = gateway;
    const sinceReadMs = this.clock.monotonicMs() - readAtMs;
    return { gateway, confirmedAgeMs: confirmedAgeMs === null ? null : confirmedAgeMs + sinceReadMs };
  }
}
