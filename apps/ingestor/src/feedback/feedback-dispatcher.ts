import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOGGER } from '../tokens';
import { FeedbackSender } from './feedback-sender';

/** How often to look for sources that are to be told something. */
const TICK_MS = 5_000;
const AT_ONCE = 10;

/** Tells sources what waits in PostgreSQL for them. Every ingestor does: each takes other gateways. */
@Injectable()
export class FeedbackDispatcher {
  private readonly shutdown = new AbortController();
  private ticking: Promise<void> = Promise.resolve();

  constructor(
    private readonly sender: FeedbackSender,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  start(): void {
    this.ticking = this.goOn(this.shutdown.signal);
  }

  /** Ends what is under way: it is tried again. */
  async stop(): Promise<void> {
    this.shutdown.abort();
    await this.ticking;
  }

  private async goOn(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        if (await this.sender.tellSome(AT_ONCE, signal)) continue;
      } catch (error) {
        this.log.error({ err: error }, 'sources could not be told; trying again');
      }
      await sleep(TICK_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}
