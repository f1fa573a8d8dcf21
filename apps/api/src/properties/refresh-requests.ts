import type { Database } from '@passerelle/database';
import type { Logger } from 'pino';
import type { Clock } from '../clock';

/** One gateway's run is asked for at most so often by one process; the database collapses the rest. */
const PAUSE_MS = 10_000;
const FORGET_ABOVE = 10_000;

type RequestRun = Database['runs']['requestForReader'];

/** Asks for runs on behalf of readers. */
export class RefreshRequests {
  private readonly askedAtMs = new Map<number, number>();

  constructor(
    private readonly requestRun: RequestRun,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Asks for a run unless one was asked for a moment ago. Never fails: the reader is served without it. */
  ask(gatewayId: number, trigger: 'stale-read' | 'first-read'): void {
    const nowMs = this.clock.monotonicMs();
    const askedAtMs = this.askedAtMs.get(gatewayId);
    if (askedAtMs !== undefined && nowMs - askedAtMs < PAUSE_MS) return;
    if (this.askedAtMs.size >= FORGET_ABOVE) this.askedAtMs.clear();
    this.askedAtMs.set(gatewayId, nowMs);
    this.requestRun(gatewayId, trigger).catch((error: unknown) => {
      this.askedAtMs.delete(gatewayId);
      this.logger.error({ err: error, gatewayId, trigger }, 'a run could not be asked for');
    });
  }
}
