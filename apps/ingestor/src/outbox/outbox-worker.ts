import { setMaxListeners } from 'node:events';
import { Inject, Injectable } from '@nestjs/common';
import { PostFailed } from '@passerelle/connectors';
import { DatabaseConnection, type Notifications, Outbox, type ClaimedDelivery } from '@passerelle/database';
import { FeedError, pauseBeforeRetryMs, RetryLater } from '@passerelle/domain';
import type { Logger } from 'pino';
import { PollingLoop } from '../polling-loop';
import { DELIVERIES, LOGGER } from '../tokens';
import { attemptSignal } from './attempt-signal';
import { type Delivery, DeliveryFailed, type FailureDetails, type Sent } from './define-delivery';

/** How often to check for deliveries whose pause is over, and for deliveries of a process that has died. */
const POLL_MS = 1_000;
const UPKEEP_MS = 5_000;
const LEASE_SLACK_MS = 15_000;
const MAX_CLAIMED = 500;

class KindWorker {
  readonly loop: PollingLoop;
  private readonly underWay = new Set<Promise<void>>();
  private retried = 0;

  constructor(
    private readonly delivery: Delivery,
    private readonly outbox: Outbox,
    private readonly shutdown: AbortSignal,
    private readonly log: Logger,
  ) {
    this.loop = new PollingLoop(
      () => this.sendDue(),
      (error) => {
        this.log.error({ err: error, kind: delivery.kind }, 'cannot read the outbox; retrying');
        return POLL_MS;
      },
    );
  }

  async stop(): Promise<void> {
    await this.loop.stop();
    await Promise.all(this.underWay);
  }

  private async sendDue(): Promise<number> {
    const { delivery } = this;
    for (;;) {
      const limit = Math.min(MAX_CLAIMED, delivery.atOnce - this.underWay.size);
      const retriedLimit = Math.max(0, Math.min(limit, delivery.retriedAtOnce - this.retried));
      // When a delivery ends, it requests the next check.
      if (limit <= 0 || this.shutdown.aborted) return POLL_MS;
      const seconds = (delivery.timeoutMs + LEASE_SLACK_MS) / 1000;
      const claimed = await this.outbox.claim({ ...delivery, limit, retriedLimit, seconds });
      for (const one of claimed) this.begin(one);
      if (claimed.length < limit) return POLL_MS;
    }
  }

  private begin(claimed: ClaimedDelivery): void {
    const isFull = (): boolean =>
      this.underWay.size >= this.delivery.atOnce || this.retried >= this.delivery.retriedAtOnce;
    if (claimed.tries > 0) this.retried += 1;
    const ended = this.deliver(claimed)
      .catch((error: unknown) => {
        this.log.error(
          { err: error, ...namesOf(this.delivery, claimed) },
          'cannot record a delivery; it is sent again',
        );
        return false;
      })
      .then((isMore) => {
        const wasFull = isFull();
        if (claimed.tries > 0) this.retried -= 1;
        this.underWay.delete(ended);
        if (isMore || wasFull) this.loop.soon();
      });
    this.underWay.add(ended);
  }

  /** @returns whether more deliveries wait for the same order key */
  private async deliver(claimed: ClaimedDelivery): Promise<boolean> {
    const { delivery, outbox, shutdown } = this;
    const attempt = attemptSignal(shutdown, delivery.timeoutMs);
    let sent: Sent;
    try {
      sent = await delivery.send(claimed, attempt.signal);
    } catch (error) {
      if (shutdown.aborted) await outbox.release(claimed);
      else await this.noteFailed(claimed, error);
      return false;
    } finally {
      attempt.end();
    }
    if (sent.isPartial === true) await outbox.noteProgress(claimed);
    else if (!(await outbox.noteDelivered(claimed, delivery.orderKey, sent))) {
      await delivery.afterSuccess?.(claimed);
      return false;
    } else await delivery.afterSuccess?.(claimed);
    return true;
  }

  private async noteFailed(claimed: ClaimedDelivery, error: unknown): Promise<void> {
    const { delivery, outbox, log } = this;
    const { sentence, details } = failureOf(error);
    const names = namesOf(delivery, claimed);
    if (sentence === null) log.error({ err: error, ...names }, 'a delivery failed unexpectedly');
    else if (claimed.tries === 0) log.warn({ ...names, reason: sentence }, 'a delivery failed; it is sent again later');
    const failures = details.failures ?? claimed.tries + 1;
    const pauseMs = pauseBeforeRetryMs(delivery.pausesMs, failures, details.askedMs ?? null, Math.random());
    const isGivenUp = (await delivery.afterFailure?.(claimed, details, pauseMs)) === true;
    await outbox.noteFailed(claimed, {
      ...{ ...details, error: sentence ?? 'it could not be delivered: the log of the ingestor says why', pauseMs },
      isFinal: isGivenUp || claimed.tries + 1 >= (delivery.tries ?? Infinity),
    });
  }
}

/** Sends all waiting deliveries of the outbox. Every ingestor does this, each with different deliveries. */
@Injectable()
export class OutboxWorker {
  private readonly shutdown = new AbortController();
  private readonly workers: ReadonlyMap<Delivery, KindWorker>;
  private notifications: Notifications | null = null;
  private readonly upkeep: PollingLoop;

  constructor(
    private readonly connection: DatabaseConnection,
    private readonly outbox: Outbox,
    @Inject(DELIVERIES) private readonly deliveries: readonly Delivery[],
    @Inject(LOGGER) log: Logger,
  ) {
    // Every delivery under way adds a listener.
    setMaxListeners(0, this.shutdown.signal);
    this.workers = new Map(deliveries.map((one) => [one, new KindWorker(one, outbox, this.shutdown.signal, log)]));
    this.upkeep = new PollingLoop(
      () => this.recover(),
      (error) => {
        log.error({ err: error }, 'the upkeep of the outbox failed; retrying');
        return UPKEEP_MS;
      },
    );
  }

  async start(): Promise<void> {
    const channels = this.deliveries.flatMap(({ channel }) => channel ?? []);
    this.notifications = this.connection.notifications(channels, {
      onNotification: (channel) => {
        for (const [delivery, { loop }] of this.workers) if (delivery.channel === channel) loop.soon();
      },
      onStateChange: () => undefined,
    });
    await this.notifications.start();
    this.upkeep.soon();
    for (const { loop } of this.workers.values()) loop.soon();
  }

  /** Aborts the deliveries under way, which are sent again later. */
  async stop(): Promise<void> {
    this.shutdown.abort();
    await this.notifications?.close();
    await Promise.all([this.upkeep.stop(), ...Array.from(this.workers.values(), (worker) => worker.stop())]);
  }

  private async recover(): Promise<number> {
    await this.outbox.takeOver();
    for (const delivery of this.deliveries) await delivery.upkeep?.();
    return UPKEEP_MS;
  }
}

function namesOf({ kind }: Delivery, { id, crm, client }: ClaimedDelivery): Record<string, string | number> {
  return { kind, delivery: id, crm, client };
}

/** @returns a null sentence for an error that is a fault of the program */
function failureOf(error: unknown): { sentence: string | null; details: FailureDetails } {
  if (error instanceof DeliveryFailed) return { sentence: error.message, details: error.details };
  const askedMs = error instanceof RetryLater ? (error.retryAfterMs ?? null) : null;
  const isExpected = error instanceof FeedError || error instanceof PostFailed;
  return { sentence: isExpected ? error.message : null, details: { askedMs } };
}
