import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type PipeTransform } from '@nestjs/common';
import {
  FeedStates,
  KeptSnapshots,
  type PublishedSnapshot,
  retryLostRead,
  type ServedGateway,
} from '@passerelle/database';
import { ApiError, isFresh } from '@passerelle/domain';
import { GatewayAccess, type AuthorizedGateway, type CachedAuthorization } from '../access/gateway-access';
import { GatewayChanges } from '../access/gateway-changes';
import { Gateway } from '../access/gateway-request';
import type { ApiConfig } from '../config';
import { feedStateOf } from '../feed/feed-state';
import { SnapshotAges } from '../metrics/snapshot-ages';
import { CONFIG, FIRST_READ_WAIT_MS } from '../tokens';
import { PaginationSessions, type SeenPage, type PageRequest } from './pagination-sessions';
import { RefreshRequests } from './refresh-requests';

export interface ServedSnapshot extends PublishedSnapshot {
  gatewayId: number;
  /** `HIT` only for the current snapshot while it is fresh. */
  cache: 'HIT' | 'MISS';
}

export interface QuietSession {
  snapshot: ServedSnapshot;
  /** The page to note in the session; null when the page need not be noted. */
  seenPage: SeenPage | null;
  /** How long the reader gets this page from this snapshot, in ms, unless a change is notified. */
  holdsMs: number;
}

/** How often a waiting reader polls, in case a notification is lost. */
const POLL_EVERY_MS = 1_000;
const RETRY_AFTER_SECONDS = 30;
/** If the last run failed within this time, a reader does not wait for the source. */
const JUST_FAILED_MS = 60_000;

/** Finds the snapshot that a gateway serves, and requests a run when it is stale or missing. */
@Injectable()
export class ServedSnapshots {
  private readonly waiting = new Map<number, Promise<AuthorizedGateway>>();

  constructor(
    private readonly access: GatewayAccess,
    private readonly changes: GatewayChanges,
    private readonly refresh: RefreshRequests,
    private readonly sessions: PaginationSessions,
    private readonly kept: KeptSnapshots,
    private readonly feeds: FeedStates,
    private readonly ages: SnapshotAges,
    @Inject(CONFIG) private readonly config: Pick<ApiConfig, 'snapshotTtlSeconds'>,
    @Inject(FIRST_READ_WAIT_MS) private readonly firstReadWaitMs: number,
  ) {}

  /**
   * @throws ApiError INTERNAL_ERROR when the gateway has no list yet, which must not look like an empty list.
   * @throws ApiError BAD_REQUEST when the token does not belong to a readable snapshot of the gateway.
   */
  async of(open: AuthorizedGateway, token?: string): Promise<ServedSnapshot> {
    const ready = await this.ready(open);
    const current = this.current(ready);
    if (token === undefined || token === current.token) return current;
    const pinned = await retryLostRead(() => this.kept.find(ready.gateway.id, token));
    if (pinned?.isReadable !== true) throw expiredToken('snapshot', current.token);
    return this.older(pinned, ready.gateway.id);
  }

  async ofSession(open: AuthorizedGateway, page: PageRequest): Promise<ServedSnapshot> {
    const ready = await this.ready(open);
    const current = this.current(ready);
    const latest = await this.sessions.snapshotOf(ready, current, page);
    return latest.id === current.id ? current : this.older(latest, ready.gateway.id);
  }

  /** The result of `ofSession` if it needs no query, else null. */
  ofQuietSession(open: CachedAuthorization, page: PageRequest): QuietSession | null {
    if (!isServing(open) || !this.sessions.isQuiet(open.gateway)) return null;
    const snapshot = this.current(open);
    const seenPage = this.sessions.see(open.gateway.id, snapshot, page);
    return { snapshot, seenPage, holdsMs: Math.min(open.holdsMs, this.freshMs(open)) };
  }

  private async ready(open: AuthorizedGateway): Promise<ServingGateway> {
    return isServing(open) ? open : this.first(open);
  }

  /** How long a fresh snapshot stays fresh, in ms. A stale snapshot stays stale until the source confirms it. */
  private freshMs({ confirmedAgeMs }: AuthorizedGateway): number {
    const { snapshotTtlSeconds } = this.config;
    if (confirmedAgeMs === null || !isFresh(confirmedAgeMs, snapshotTtlSeconds)) return Infinity;
    return snapshotTtlSeconds * 1000 - confirmedAgeMs;
  }

  private current({ gateway, requestId, confirmedAgeMs }: ServingGateway): ServedSnapshot {
    const { snapshot, confirmedAtMs } = gateway;
    const cache = isFresh(confirmedAgeMs, this.config.snapshotTtlSeconds) ? 'HIT' : 'MISS';
    this.ages.see(confirmedAgeMs);
    if (cache === 'MISS') this.refresh.ask(gateway, 'stale-read', requestId);
    const { id, token, total, publishedAtMs } = snapshot;
    return { gatewayId: gateway.id, id, token, total, publishedAtMs, confirmedAtMs, cache };
  }

  private older(snapshot: PublishedSnapshot, gatewayId: number): ServedSnapshot {
    const { id, token, total, publishedAtMs } = snapshot;
    const confirmedAtMs = snapshot.confirmedAtMs ?? publishedAtMs;
    return { id, token, total, publishedAtMs, confirmedAtMs, gatewayId, cache: 'MISS' };
  }

  /** @throws ApiError INTERNAL_ERROR immediately when the last import failed a moment ago: waiting would not help. */
  private async first(opened: AuthorizedGateway): Promise<ServingGateway> {
    const { gateway, requestId } = opened;
    this.refresh.ask(gateway, 'first-read', requestId);
    if (!(await this.hasJustFailed(gateway.id))) {
      let waiting = this.waiting.get(gateway.id);
      if (waiting === undefined) {
        waiting = this.wait(opened).finally(() => this.waiting.delete(gateway.id));
        this.waiting.set(gateway.id, waiting);
      }
      const open = await waiting;
      if (isServing(open)) return open;
    }
    throw await this.nothingToServe(gateway);
  }

  private async hasJustFailed(gatewayId: number): Promise<boolean> {
    const { failures, lastRun } = await retryLostRead(() => this.feeds.load(gatewayId));
    const endedAt = failures > 0 && lastRun?.state === 'failed' ? lastRun.ended_at : null;
    return endedAt !== null && Date.now() - Date.parse(endedAt) < JUST_FAILED_MS;
  }

  private async nothingToServe({ id }: ServedGateway): Promise<ApiError> {
    const figures = await retryLostRead(() => this.feeds.load(id));
    const { state, reason } = feedStateOf({
      ...{ figures, snapshot: null, confirmedAtMs: null, isFresh: false },
      ttlSeconds: this.config.snapshotTtlSeconds,
    });
    const why = state === 'never' ? 'Try again in a moment.' : (reason?.message ?? '');
    return new ApiError(
      'INTERNAL_ERROR',
      `The listings of this gateway have not been imported yet. ${why}`,
      { retry_after_seconds: RETRY_AFTER_SECONDS, state, ...(state !== 'never' && { reason }) },
      { 'retry-after': String(RETRY_AFTER_SECONDS) },
    );
  }

  private async wait(opened: AuthorizedGateway): Promise<AuthorizedGateway> {
    const deadlineMs = performance.now() + this.firstReadWaitMs;
    for (;;) {
      const stop = new AbortController();
      // Listens before it reads, so that it misses no change in between.
      const changed = this.changes.next(opened.gateway.id, stop.signal).catch(() => undefined);
      const open = await this.access.reopen(opened);
      const leftMs = deadlineMs - performance.now();
      if (open.gateway.snapshot === null && leftMs > 0) {
        await Promise.race([changed, sleep(Math.min(leftMs, POLL_EVERY_MS), undefined, { signal: stop.signal })]);
      }
      stop.abort();
      if (open.gateway.snapshot !== null || leftMs <= 0) return open;
    }
  }
}

type ServingGateway = AuthorizedGateway & { gateway: { snapshot: PublishedSnapshot } };

function isServing(open: AuthorizedGateway): open is ServingGateway {
  return open.gateway.snapshot !== null;
}

/** The 400 after which a client must start again from the current snapshot. */
export function expiredToken(parameter: 'snapshot' | 'since', current: string): ApiError {
  return new ApiError(
    'BAD_REQUEST',
    `The query parameter "${parameter}" names no snapshot of this gateway that is still kept.`,
    { parameter, reason: 'expired', current },
  );
}

@Injectable()
class ServedSnapshotPipe implements PipeTransform<AuthorizedGateway, Promise<ServedSnapshot>> {
  constructor(private readonly snapshots: ServedSnapshots) {}

  async transform(open: AuthorizedGateway): Promise<ServedSnapshot> {
    return this.snapshots.of(open);
  }
}

export const Snapshot = (): ParameterDecorator => Gateway(ServedSnapshotPipe);
