import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ThrottledLogger, Counts, SharedCounts } from '@passerelle/limits';
import type { Logger } from 'pino';
import { Clock } from '../clock';
import type { ApiConfig } from '../config';
import { CONFIG, LOGGER } from '../tokens';

/** The counters of the limits: shared by all API processes through Redis, or local without Redis. */
@Injectable()
export class LimitStore implements OnApplicationShutdown {
  private readonly shared: SharedCounts | null;
  private readonly away: ThrottledLogger;

  constructor(
    @Inject(CONFIG) { redisUrl, redisPrefix }: Pick<ApiConfig, 'redisUrl' | 'redisPrefix'>,
    private readonly clock: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.away = new ThrottledLogger((count) => {
      logger.warn(
        { count },
        'Redis did not count requests for the rate limits: this process counted only its own requests',
      );
    });
    const onAway = (): void => {
      this.away.note();
    };
    this.shared = redisUrl === null ? null : new SharedCounts({ url: redisUrl, prefix: redisPrefix, onAway });
  }

  /** How often Redis failed to count, since the process started. */
  get awayCount(): number {
    return this.away.total;
  }

  /** @param kind the kind of the counted requests; each kind has separate names */
  counts(kind: string): Counts {
    return new Counts(kind, this.shared, () => this.clock.monotonicMs());
  }

  onApplicationShutdown(): void {
    this.shared?.close();
  }
}
