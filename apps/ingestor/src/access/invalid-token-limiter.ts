import { Inject, Injectable } from '@nestjs/common';
import { ThrottledLogger, Counts, networkOf } from '@passerelle/limits';
import type { Logger } from 'pino';
import { LOGGER } from '../tokens';

/** The limit of one network, an IPv4 address or 64 bits of IPv6, per minute. */
export const INVALID_TOKENS_PER_MINUTE = 60;

/** Counts requests to the ops port with a wrong token, and limits them by network. The right token is never limited. */
@Injectable()
export class InvalidTokenLimiter {
  /** Wrong tokens over the limit, since the process started. */
  limited = 0;
  private readonly counts = new Counts('ops-token', null, () => performance.now());
  private readonly line: ThrottledLogger;

  constructor(@Inject(LOGGER) log: Logger) {
    this.line = new ThrottledLogger((count) => {
      log.warn({ count, networks: this.counts.names }, 'requests to the ops port had a wrong token');
    });
  }

  get count(): number {
    return this.line.total;
  }

  /** Counts one wrong token. @returns the seconds to wait if there were too many, else null. */
  note(address: string | undefined): number | null {
    const { count, resetSeconds } = this.counts.addHere(networkOf(address));
    this.line.note();
    if (count <= INVALID_TOKENS_PER_MINUTE) return null;
    this.limited += 1;
    return resetSeconds;
  }
}
