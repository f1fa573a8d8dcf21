import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { ServedGateway } from '@passerelle/database';
import { ApiError, isGatewayActive, isGatewayName, type KeyHashes } from '@passerelle/domain';
import { Clock } from '../clock';
import { KEY_HASHES } from '../tokens';
import { RefusedKeys } from './refused-keys';
import {
  type CachedGateway,
  GatewayCache,
  type KeyRequest,
  KNOWN_TTL_MS,
  noteMatchedKey,
  type GatewayLookup,
  MatchedApiKey,
} from './gateway-cache';
import { ApiKeyUsage } from './api-key-usage';

export interface AuthorizedGateway {
  /** The id of the request. */
  requestId: string;
  gateway: ServedGateway;
  /** The database's present time in ms since 1970, estimated with the clock of this process. */
  databaseMs: number;
  /** Time since the source last confirmed the listings; null if it never did. */
  confirmedAgeMs: number | null;
}

/** A gateway that was opened without a query. */
export interface CachedAuthorization extends AuthorizedGateway {
  /** How long the authorization is valid for the same key, in ms, unless the gateway cache reports a change. */
  holdsMs: number;
}

interface Caller extends KeyRequest {
  requestId: string;
}

/** Further refusals within this time do not read the gateway again. */
const REFUSAL_TTL_MS = 1_000;
/** The minimum duration of a refusal, so that the duration reveals nothing about the gateway. */
export const REFUSAL_MIN_MS = 20;

@Injectable()
export class GatewayAccess {
  private readonly refusedAtMs = new WeakMap<GatewayLookup, number>();

  constructor(
    private readonly cache: GatewayCache,
    @Inject(KEY_HASHES) private readonly hashes: Pick<KeyHashes, 'matching' | 'knows'>,
    private readonly clock: Clock,
    private readonly refused: RefusedKeys,
    private readonly usage: ApiKeyUsage,
  ) {}

  /**
   * A refusal must not show, in its body or its duration, whether the gateway is unknown or the key is wrong. The
   * second read also finds a key that was created a moment ago.
   * @throws ApiError AUTH_FAILED; RATE_LIMITED after too many refusals; FORBIDDEN only with a right key.
   */
  async open(crm: string, client: string, key: string | null, caller: Caller): Promise<AuthorizedGateway> {
    const { address, requestId } = caller;
    const presented = key ?? '';
    // An impossible gateway name can have any length, so nothing is cached for it.
    if (!isGatewayName(crm, client)) return this.refuse({ cached: null, readAtMs: 0 }, address, REFUSAL_MIN_MS);
    const last = this.cache.get(crm, client);
    const known = last?.cached ?? null;
    if (this.hasMatchingKey(known, presented, caller)) return this.admit(known, requestId);
    const startedMs = this.clock.monotonicMs();
    let lookup = last;
    if (lookup === null || !this.wasRefusedJustNow(lookup)) {
      lookup = await this.cache.read(crm, client);
      if (this.hasMatchingKey(lookup.cached, presented, caller)) return this.admit(lookup.cached, requestId);
      this.refusedAtMs.set(lookup, this.clock.monotonicMs());
    }
    return this.refuse(lookup, address, REFUSAL_MIN_MS - (this.clock.monotonicMs() - startedMs));
  }

  private async refuse(lookup: GatewayLookup, address: string | undefined, minMs: number): Promise<never> {
    await sleep(Math.max(0, minMs));
    if (this.hasUnknownHash(lookup)) this.refused.noteUnknownHash();
    throw await this.refused.refusal(address);
  }

  /** Opens the gateway if it is cached and active and the key is right, else returns null. */
  openCached(name: string, key: string, caller: Caller): CachedAuthorization | null {
    const cached = this.cache.named(name)?.cached ?? null;
    if (!this.hasMatchingKey(cached, key, caller) || !this.isActive(cached)) return null;
    return { ...authorized(cached, caller.requestId, this.clock), holdsMs: this.holdsMs(cached, key, caller) };
  }

  /** Reads an opened gateway again, without checking the key again. */
  reopen({ gateway: { crm, client }, requestId }: AuthorizedGateway): Promise<AuthorizedGateway> {
    return this.openKnown(crm, client, requestId);
  }

  /** Opens a gateway for a request authenticated without the gateway's key. @throws ApiError FORBIDDEN, AUTH_FAILED */
  async openKnown(crm: string, client: string, requestId: string): Promise<AuthorizedGateway> {
    const { cached } = await this.cache.read(crm, client);
    if (cached === null) throw new ApiError('AUTH_FAILED', 'The gateway was removed.');
    return this.admit(cached, requestId);
  }

  /** Whether the gateway has a key that cannot be compared, because it was hashed with another secret. */
  private hasUnknownHash({ cached }: GatewayLookup): boolean {
    return cached?.gateway.keys.some(({ keyId }) => !this.hashes.knows(keyId)) === true;
  }

  private wasRefusedJustNow(lookup: GatewayLookup): boolean {
    const at = this.refusedAtMs.get(lookup);
    return at !== undefined && this.clock.monotonicMs() - at < REFUSAL_TTL_MS;
  }

  private hasMatchingKey(cached: CachedGateway | null, key: string, request: KeyRequest): cached is CachedGateway {
    const nowMs = this.clock.nowMs();
    const known = cached?.matchedKeys.get(key);
    if (known !== undefined) return known.some((matched) => matched.permits(request, nowMs));
    const matching = this.hashes
      .matching(key, cached?.gateway.keys ?? [], nowMs)
      .map((stored) => new MatchedApiKey(stored));
    const opening = matching.filter((matched) => matched.permits(request, nowMs));
    if (opening.length === 0 || cached === null) return false;
    // Runs once per cached read of the gateway, when a right key is hashed, and not for each request.
    for (const { stored } of opening) this.usage.note(stored, key);
    noteMatchedKey(cached, key, matching);
    return true;
  }

  private admit(cached: CachedGateway, requestId: string): AuthorizedGateway {
    if (!this.isActive(cached)) throw new ApiError('FORBIDDEN', 'This gateway is disabled.');
    return authorized(cached, requestId, this.clock);
  }

  private holdsMs({ readAtMs, matchedKeys }: CachedGateway, key: string, request: KeyRequest): number {
    const nowMs = this.clock.nowMs();
    const opening = matchedKeys.get(key)?.filter((matched) => matched.permits(request, nowMs)) ?? [];
    // A key may be stored more than once; it is valid until the last of these entries ends.
    const keyMs = Math.max(0, ...opening.map(({ endsAtMs }) => endsAtMs - nowMs));
    const readingMs = readAtMs + KNOWN_TTL_MS - this.clock.monotonicMs();
    // A contract ends at a full second, so the result must end by the next full second.
    return Math.min(keyMs, readingMs, 1000 - (nowMs % 1000));
  }

  private isActive({ gateway }: CachedGateway): boolean {
    return isGatewayActive(gateway, new Date(this.clock.nowMs()));
  }
}

function authorized({ gateway, readAtMs }: CachedGateway, requestId: string, clock: Clock): AuthorizedGateway {
  const { confirmedAgeMs } = gateway;
  const sinceReadMs = clock.monotonicMs() - readAtMs;
  return {
    requestId,
    gateway,
    databaseMs: gateway.databaseMs + sinceReadMs,
    confirmedAgeMs: confirmedAgeMs === null ? null : confirmedAgeMs + sinceReadMs,
  };
}
