import { RetryLater } from '@passerelle/domain';
import type { OutboundPolicy } from '../../contracts';

const RATE_WINDOW_MS = 60_000;
const LEAST_BYTES_PER_SECOND = 4096;
/** A source is slow when its answer has not begun after this time. */
const BEGINS_WITHIN_MS = 20_000;
/** A source is also slow when its answer stays below the minimum rate for this time. */
const DRIP_WINDOW_MS = 5_000;

/**
 * Limits a request's total time, idle time and rate. The idle timeout does not stop a source that sends one byte per
 * second.
 */
export class RequestWatch {
  private readonly controller = new AbortController();
  private total: NodeJS.Timeout | undefined;
  private idle: NodeJS.Timeout | undefined;
  private window: NodeJS.Timeout | undefined;
  private windowBytes = 0;
  private drip: NodeJS.Timeout | undefined;
  private dripBytes = 0;
  private isSlow = false;
  private hasBody = false;
  private bytes = 0;
  private status: number | null = null;
  private failure: string | null = null;
  private startedAt = 0;
  private spentMs = 0;

  /** @param earlierMs time that earlier requests of the run have used @param shown the masked address */
  constructor(
    private readonly policy: OutboundPolicy,
    private readonly earlierMs: number,
    private readonly outer: AbortSignal,
    private readonly shown: string,
  ) {
    outer.addEventListener('abort', this.abort);
    this.start();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Restarts the idle timeout. */
  noteActivity(): void {
    this.idle?.refresh();
  }

  noteStatus(status: number): void {
    this.noteActivity();
    this.status = status;
  }

  /** Notes why the request failed. @param error without secrets. @returns the same error */
  noteFailure(error: unknown): unknown {
    this.failure = error instanceof Error ? error.message : 'no reason given';
    return error;
  }

  noteBytes(bytes: number): void {
    this.noteActivity();
    this.bytes += bytes;
    this.windowBytes += bytes;
    this.dripBytes += bytes;
    if (this.hasBody) return;
    this.hasBody = true;
    this.startWindow();
    this.startDripWindow();
  }

  /** Stops all timeouts during a wait that the source does not cause. */
  async suspendFor(wait: () => Promise<void>): Promise<void> {
    this.stop();
    try {
      await wait();
    } finally {
      this.start();
    }
  }

  /** @returns how long it has watched the request, in ms, without suspensions. */
  end(): number {
    this.stop();
    this.outer.removeEventListener('abort', this.abort);
    const { shown, status, bytes, failure } = this;
    this.policy.onRequest?.({ shown, status, bytes, ms: Math.round(this.spentMs), failure });
    return this.spentMs;
  }

  private start(): void {
    const { idleTimeoutMs, timeoutMs } = this.policy;
    this.startedAt = performance.now();
    const leftMs = Math.max(0, timeoutMs - this.earlierMs - this.spentMs);
    this.total = this.giveUpAfter(leftMs, 'took too long to answer');
    this.idle = this.giveUpAfter(idleTimeoutMs, `was silent for ${idleTimeoutMs} ms`);
    if (this.hasBody) this.startWindow();
    this.startDripWindow();
  }

  private giveUpAfter(ms: number, why: string): NodeJS.Timeout {
    return setTimeout(() => {
      this.controller.abort(new RetryLater(`${this.shown} ${why}`));
    }, ms);
  }

  private startWindow(): void {
    const { bytesPerSecond, overMs } = { ...DEFAULT_RATE, ...this.policy.leastRate };
    this.windowBytes = 0;
    this.window = setInterval(() => {
      const rate = (this.windowBytes * 1000) / overMs;
      this.windowBytes = 0;
      if (rate >= bytesPerSecond) return;
      const sent = `sent ${Math.round(rate)} bytes a second for ${overMs} ms`;
      this.controller.abort(new RetryLater(`${this.shown} ${sent}; least-rate is ${bytesPerSecond}`));
    }, overMs);
  }

  /** Reports once that the source is slow, long before the abort, so that other sources can be read meanwhile. */
  private startDripWindow(): void {
    clearInterval(this.drip);
    if (this.policy.onSlow === undefined || this.isSlow) return;
    const overMs = this.hasBody ? DRIP_WINDOW_MS : BEGINS_WITHIN_MS;
    this.dripBytes = 0;
    this.drip = setInterval(() => {
      const isSlow = (this.dripBytes * 1000) / overMs < LEAST_BYTES_PER_SECOND;
      this.dripBytes = 0;
      if (!isSlow) return;
      this.isSlow = true;
      clearInterval(this.drip);
      this.policy.onSlow?.();
    }, overMs);
  }

  private stop(): void {
    clearTimeout(this.total);
    clearTimeout(this.idle);
    clearInterval(this.window);
    clearInterval(this.drip);
    this.spentMs += performance.now() - this.startedAt;
  }

  private readonly abort = (): void => {
    this.controller.abort(this.outer.reason);
  };
}

const DEFAULT_RATE = { bytesPerSecond: LEAST_BYTES_PER_SECOND, overMs: RATE_WINDOW_MS };
