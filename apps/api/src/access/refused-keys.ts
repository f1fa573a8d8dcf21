import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '@passerelle/domain';
import type { Logger } from 'pino';
import { Clock } from '../clock';
import type { ApiConfig } from '../config';
import { CountedLine } from '../metrics/counted-line';
import { CONFIG, LOGGER } from '../tokens';

const WINDOW_MS = 60_000;
const MOST_ENTRIES = 50_000;

/**
 * Refuses wrong keys and unknown gateways, counts them, and limits them by address over all gateways. A right key is let in
 * whatever came from its address before: hosts of many sites share one.
 */
@Injectable()
export class RefusedKeys {
  /** Beyond the limit, since the process started. */
  limited = 0;
  private readonly line: CountedLine;
  private readonly unknownHashes: CountedLine;
  private readonly limitPerMinute: number;
  private windowStartMs = -Infinity;
  private readonly counts = new Map<string, number>();

  constructor(
    @Inject(CONFIG) { refusedKeysPerMinute }: Pick<ApiConfig, 'refusedKeysPerMinute'>,
    private readonly clock: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.limitPerMinute = refusedKeysPerMinute;
    this.line = new CountedLine((count) => {
      logger.warn({ count, addresses: this.counts.size }, 'keys were refused');
    });
    this.unknownHashes = new CountedLine((count) => {
      logger.error(
        { count },
        'keys were refused that may be right: they are stored under another SECRETS_KEY than ours',
      );
    });
  }

  /** Since the process started. */
  get count(): number {
    return this.line.total;
  }

  /** Takes note of a refusal that may be our own fault. */
  noteUnknownHash(): void {
    this.unknownHashes.note();
  }

  /** The refusal of a request from this address: AUTH_FAILED, and RATE_LIMITED once there were too many in a minute. */
  refusal(address: string): ApiError {
    const nowMs = this.clock.monotonicMs();
    if (nowMs - this.windowStartMs >= WINDOW_MS) {
      this.windowStartMs = nowMs;
      this.counts.clear();
    }
    const name = networkOf(address);
    const count = (this.counts.get(name) ?? 0) + 1;
    if (count > 1 || this.counts.size < MOST_ENTRIES) this.counts.set(name, count);
    this.line.note();
    if (count <= this.limitPerMinute) {
      return new ApiError('AUTH_FAILED', 'The API key, or the combination of client and crm, is invalid.', undefined, {
        'www-authenticate': 'Bearer realm="listings"',
      });
    }
    this.limited += 1;
    const retryAfter = Math.max(1, Math.ceil((this.windowStartMs + WINDOW_MS - nowMs) / 1000));
    return new ApiError(
      'RATE_LIMITED',
      `Too many requests with a wrong key: at most ${this.limitPerMinute} a minute. Try again in ${retryAfter} s.`,
      { limit_per_minute: this.limitPerMinute },
      { 'retry-after': String(retryAfter) },
    );
  }
}

/** An IPv6 client has a whole network of addresses, 64 bits wide; one of IPv4 has its address. */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const last = tail === '' ? [] : tail.split(':');
    while (groups.length + last.length < 8) groups.push('0');
    groups.push(...last);
  }
  return groups.slice(0, 4).join(':');
}
