import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '@passerelle/domain';
import type { Logger } from 'pino';
import { ThrottledLogger, type Counts, networkOf } from '@passerelle/limits';
import type { ApiConfig } from '../config';
import { CONFIG, LOGGER } from '../tokens';
import { LimitStore } from './limit-store';

/** Limits refusals per address over all gateways. A right key always passes, because many sites share an address. */
@Injectable()
export class RefusedKeys {
  /** Refusals over the limit, since the process started. */
  limited = 0;
  private readonly line: ThrottledLogger;
  private readonly unknownHashes: ThrottledLogger;
  private readonly limitPerMinute: number;
  private readonly counts: Counts;

  constructor(
    @Inject(CONFIG) { refusedKeysPerMinute }: Pick<ApiConfig, 'refusedKeysPerMinute'>,
    @Inject(LimitStore) store: Pick<LimitStore, 'counts'>,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.limitPerMinute = refusedKeysPerMinute;
    this.counts = store.counts('refused-keys');
    this.line = new ThrottledLogger((count) => {
      logger.warn({ count, networks: this.counts.names }, 'keys were refused');
    });
    this.unknownHashes = new ThrottledLogger((count) => {
      logger.error(
        { count },
        'keys that may be valid were refused: they were hashed with another SECRETS_KEY than this process has',
      );
    });
  }

  get count(): number {
    return this.line.total;
  }

  /** Notes a refusal of a key that may be right, because its hash was made with another SECRETS_KEY. */
  noteUnknownHash(): void {
    this.unknownHashes.note();
  }

  /** The refusal of a request from this address: AUTH_FAILED, or RATE_LIMITED after too many in a minute. */
  async refusal(address: string | undefined): Promise<ApiError> {
    const { count, resetSeconds } = await this.counts.add(networkOf(address));
    this.line.note();
    if (count <= this.limitPerMinute) {
      return new ApiError('AUTH_FAILED', 'The API key, or the combination of client and crm, is invalid.', undefined, {
        'www-authenticate': 'Bearer realm="listings"',
      });
    }
    this.limited += 1;
    return new ApiError(
      'RATE_LIMITED',
      `Too many requests with a wrong key: at most ${this.limitPerMinute} a minute. Try again in ${resetSeconds} s.`,
      { limit_per_minute: this.limitPerMinute },
      { 'retry-after': String(resetSeconds) },
    );
  }
}
