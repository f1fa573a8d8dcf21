import { setTimeout as sleep } from 'node:timers/promises';
import type { ServedGateway } from '@passerelle/database';
import { ApiError, isFresh } from '@passerelle/domain';
import type { Access, OpenGateway } from '../access/access';
import type { GatewayChanges } from '../access/gateway-changes';
import type { RefreshRequests } from './refresh-requests';

/** What a gateway serves at this moment. */
export interface CurrentSnapshot {
  gatewayId: number;
  id: number;
  total: number;
  cache: 'HIT' | 'MISS';
}

export interface SnapshotOptions {
  ttlSeconds: number;
  /** How long the first reader of a gateway waits for its first snapshot. */
  firstReadWaitMs: number;
}

/** While notifications are lost, a waiting reader looks for itself this often. */
const LOOK_EVERY_MS = 1_000;
const RETRY_AFTER_SECONDS = 30;

/** Finds the snapshot to serve, and asks for a fresh one where it is stale or missing. */
export class CurrentSnapshots {
  private readonly waiting = new Map<number, Promise<OpenGateway>>();

  constructor(
    private readonly access: Access,
    private readonly changes: Pick<GatewayChanges, 'next'>,
    private readonly refresh: RefreshRequests,
    private readonly options: SnapshotOptions,
  ) {}

  /** @throws ApiError INTERNAL_ERROR when the gateway has nothing to serve yet: that must not look like an empty one. */
  of(open: OpenGateway): CurrentSnapshot | Promise<CurrentSnapshot> {
    return this.served(open) ?? this.first(open.gateway);
  }

  /** The gateway's snapshot, when it has one. */
  served({ gateway, confirmedAgeMs }: OpenGateway): CurrentSnapshot | null {
    if (gateway.snapshot === null) return null;
    const cache = isFresh(confirmedAgeMs, this.options.ttlSeconds) ? 'HIT' : 'MISS';
    if (cache === 'MISS') this.refresh.ask(gateway.id, 'stale-read');
    return { gatewayId: gateway.id, ...gateway.snapshot, cache };
  }

  private async first(gateway: ServedGateway): Promise<CurrentSnapshot> {
    this.refresh.ask(gateway.id, 'first-read');
    let waiting = this.waiting.get(gateway.id);
    if (waiting === undefined) {
      waiting = this.wait(gateway).finally(() => this.waiting.delete(gateway.id));
      this.waiting.set(gateway.id, waiting);
    }
    const snapshot = this.served(await waiting);
    if (snapshot !== null) return snapshot;
    throw new ApiError(
      'INTERNAL_ERROR',
      'The listings of this gateway have not been imported yet. Try again in a moment.',
      { retry_after_seconds: RETRY_AFTER_SECONDS },
      { 'retry-after': String(RETRY_AFTER_SECONDS) },
    );
  }

  /** Returns as soon as the gateway has a snapshot, or as it is when the time is up. */
  private async wait(gateway: ServedGateway): Promise<OpenGateway> {
    const deadlineMs = performance.now() + this.options.firstReadWaitMs;
    for (;;) {
      const stop = new AbortController();
      // Heard from now on, so that a change during the look is not missed.
      const changed = this.changes.next(gateway.id, stop.signal).catch(() => undefined);
      const open = await this.access.reopen(gateway);
      const leftMs = deadlineMs - performance.now();
      if (open.gateway.snapshot === null && leftMs > 0) {
        await Promise.race([changed, sleep(Math.min(leftMs, LOOK_EVERY_MS), undefined, { signal: stop.signal })]);
      }
      stop.abort();
      if (open.gateway.snapshot !== null || leftMs <= 0) return open;
    }
  }
}
