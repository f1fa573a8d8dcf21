import { Inject, Injectable } from '@nestjs/common';
import { StoredTimes } from '@passerelle/database';
import type { Logger } from 'pino';
import type { RunnerOptions } from '../ingest/run-settings';
import { LOGGER, RUNNER_OPTIONS } from '../tokens';

const EVERY_MS = 60_000;

/** Repairs stored times every minute: without this, work would stop when the database's clock is set back. */
@Injectable()
export class ClockRepair {
  private doneAtMs = -EVERY_MS;

  constructor(
    private readonly times: StoredTimes,
    @Inject(RUNNER_OPTIONS) private readonly options: Pick<RunnerOptions, 'everySeconds'>,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** @throws the driver's error when the database is unavailable; the next call tries again. */
  async runWhenDue(): Promise<void> {
    if (performance.now() - this.doneAtMs < EVERY_MS) return;
    const times = await this.times.putBack(this.options);
    this.doneAtMs = performance.now();
    if (Object.keys(times).length > 0) {
      this.log.warn({ times }, "the database's clock was put back: stored times in its future now count as past");
    }
  }
}
