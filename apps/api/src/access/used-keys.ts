import { Inject, Injectable } from '@nestjs/common';
import { KeyUses } from '@passerelle/database';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { Clock } from '../clock';
import { Outage } from '../metrics/outage';
import { LOGGER } from '../tokens';

const MOST_ENTRIES = 50_000;

/** Notes the day of each key's last use: at most once a day for each key in one process, and never while a reader waits. */
@Injectable()
export class UsedKeys {
  /** The day that was noted last, by gateway and hash. */
  private readonly days = new LRUCache<string, string>({ max: MOST_ENTRIES });

  constructor(
    @Inject(KeyUses) private readonly uses: Pick<KeyUses, 'note'>,
    private readonly clock: Clock,
    private readonly outage: Outage,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Never fails: a day that could not be noted is noted with the next use. */
  note(gatewayId: number, hash: Buffer): void {
    const name = `${gatewayId}/${hash.toString('base64')}`;
    const today = new Date(this.clock.nowMs()).toISOString().slice(0, 10);
    if (this.days.get(name) === today) return;
    this.days.set(name, today);
    this.uses.note(gatewayId, hash).catch((error: unknown) => {
      this.days.delete(name);
      if (!this.outage.covers(error)) this.logger.error({ err: error, gatewayId }, "a key's use could not be noted");
    });
  }
}
