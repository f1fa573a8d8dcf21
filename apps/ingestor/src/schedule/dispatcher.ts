import { Inject, Injectable } from '@nestjs/common';
import { type Announced, Announcements, DatabaseConnection, type Notifications, Schedule } from '@passerelle/database';
import { RUN_REQUESTED_CHANNEL } from '@passerelle/domain';
import type { Logger } from 'pino';
import type { RunnerOptions } from '../ingest/run-settings';
import { IngestQueue } from '../queue/ingest-queue';
import type { QueueState } from '../queue/queue-state';
import { PollingLoop } from '../polling-loop';
import { LOGGER, RUNNER_OPTIONS } from '../tokens';
import { ClockRepair } from './clock-repair';
import { HistoryPruning } from './history-pruning';
import { KeyRenewal } from './key-renewal';
import { RemapPlanning } from './remap-planning';

const POLL_MS = 2_000;
const BATCH = 1_000;

/** Only one ingestor's dispatcher, the announcer, works; the others check whether the announcer still runs. */
@Injectable()
export class Dispatcher {
  private notifications: Notifications | null = null;
  private readonly loop = new PollingLoop(
    () => this.tick(),
    (error) => {
      this.log.error({ err: error }, 'cannot add runs to the queue; trying again');
      return POLL_MS;
    },
  );
  private isStopped = false;
  private isAnnouncer = false;
  private queueState: QueueState = 'ok';

  constructor(
    private readonly connection: DatabaseConnection,
    private readonly schedule: Schedule,
    private readonly announcements: Announcements,
    private readonly queue: IngestQueue,
    @Inject(ClockRepair) private readonly clockRepair: Pick<ClockRepair, 'runWhenDue'>,
    private readonly pruning: HistoryPruning,
    @Inject(KeyRenewal) private readonly keys: Pick<KeyRenewal, 'goOn'>,
    @Inject(RemapPlanning) private readonly remaps: Pick<RemapPlanning, 'goOn'>,
    @Inject(RUNNER_OPTIONS)
    private readonly options: Pick<RunnerOptions, 'holder' | 'everySeconds' | 'announcerSeconds' | 'announcedSeconds'>,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async start(): Promise<void> {
    this.notifications = this.connection.notifications([RUN_REQUESTED_CHANNEL], {
      onNotification: () => {
        if (this.isAnnouncer) this.loop.soon();
      },
      onStateChange: (isListening) => {
        if (!isListening) this.log.warn('lost the LISTEN connection; polling for new runs');
      },
    });
    await this.notifications.start();
    this.loop.soon();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.notifications?.close();
    await this.loop.stop();
    await this.pruning.stop();
    // If this fails, the other dispatchers wait until the announcer's term has expired.
    if (this.isAnnouncer) await this.announcements.letGo(this.options.holder).catch(() => undefined);
  }

  private async tick(): Promise<number> {
    if (await this.holdAnnouncer()) {
      await this.clockRepair.runWhenDue();
      await this.enqueueRuns();
      this.pruning.goOn();
      await this.keys.goOn();
      await this.remaps.goOn();
    }
    return POLL_MS;
  }

  private async holdAnnouncer(): Promise<boolean> {
    const isHeld = await this.announcements.hold(this.options.holder, this.options.announcerSeconds, this.queueState);
    // Query the state concurrently: a slow queue must not make the announcer lose its term.
    void this.queue.state().then((state) => (this.queueState = state));
    if (isHeld !== this.isAnnouncer)
      this.log.info(
        isHeld ? 'this ingestor now adds runs to the queue' : 'another ingestor now adds runs to the queue',
      );
    this.isAnnouncer = isHeld;
    return isHeld;
  }

  /** Adds runs to the queue batch by batch, so that new requests need not wait for thousands of due runs. */
  private async enqueueRuns(): Promise<void> {
    for (;;) {
      const due = await this.schedule.requestDueRuns({ everySeconds: this.options.everySeconds, batch: BATCH });
      const runs = await this.announcements.claim({ limit: BATCH, seconds: this.options.announcedSeconds });
      if (runs.length > 0) await this.announce(runs);
      // Runs that were announced before get only one batch per tick.
      const isNewsLeft = due === BATCH || (runs.length === BATCH && !runs.every(({ isAgain }) => isAgain));
      if (!isNewsLeft || this.hasStopped() || !(await this.holdAnnouncer())) return;
    }
  }

  private async announce(runs: readonly Announced[]): Promise<void> {
    try {
      await this.queue.announce(runs);
    } catch (error) {
      await this.announcements.release(runs.map(({ runId }) => runId));
      throw error;
    }
  }

  /** A function, because the compiler assumes that a property does not change across an await. */
  private hasStopped(): boolean {
    return this.isStopped;
  }
}
