import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '@passerelle/domain';
import { Clock } from '../clock';
import type { ApiConfig } from '../config';
import { CONFIG } from '../tokens';

const WINDOW_MS = 60_000;
const MOST_ENTRIES = 50_000;

/**
 * A limit on the requests for one gateway from one address in a minute. Each API process counts its own. There is none
 * when `rateLimitPerMinute` is null.
 */
@Injectable()
export class RateLimit {
  private readonly limitPerMinute: number | null;
  private windowStartMs = -Infinity;
  private readonly counts = new Map<string, number>();

  constructor(
    @Inject(CONFIG) { rateLimitPerMinute }: Pick<ApiConfig, 'rateLimitPerMinute'>,
    private readonly clock: Clock,
  ) {
    this.limitPerMinute = rateLimitPerMinute;
  }

  get isOn(): boolean {
    return this.limitPerMinute !== null;
  }

  /** Counts a request. Null when there is no limit. */
  count(crm: string, client: string, address: string): CountedRequest | null {
    if (this.limitPerMinute === null) return null;
    const nowMs = this.clock.monotonicMs();
    if (nowMs - this.windowStartMs >= WINDOW_MS) {
      this.windowStartMs = nowMs;
      this.counts.clear();
    }
    const name = `${crm}/${client}/${address}`;
    const count = (this.counts.get(name) ?? 0) + 1;
    // Made-up names cannot fill the memory; those that are counted already go on being counted.
    if (count > 1 || this.counts.size < MOST_ENTRIES) this.counts.set(name, count);
    const resetSeconds = Math.max(1, Math.ceil((this.windowStartMs + WINDOW_MS - nowMs) / 1000));
    return {
      headers: {
        'ratelimit-limit': String(this.limitPerMinute),
        'ratelimit-remaining': String(Math.max(0, this.limitPerMinute - count)),
        'ratelimit-reset': String(resetSeconds),
      },
      refusal: count <= this.limitPerMinute ? null : tooMany(this.limitPerMinute, resetSeconds),
    };
  }
}

/** What the limit says of a request. */
interface CountedRequest {
  /** Of every answer, so that a client can slow down before it is refused. */
  headers: Readonly<Record<string, string>>;
  refusal: ApiError | null;
}

function tooMany(limitPerMinute: number, retryAfter: number): ApiError {
  return new ApiError(
    'RATE_LIMITED',
    `Too many requests: at most ${limitPerMinute} a minute. Try again in ${retryAfter} s.`,
    { limit_per_minute: limitPerMinute },
    { 'retry-after': String(retryAfter) },
  );
}
