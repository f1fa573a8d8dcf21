import type { OrderKey, ClaimedDelivery, TryResult } from '@passerelle/database';
import type { DeliveryKind } from '@passerelle/domain';

/** A failed attempt. The message is one sentence without private data. */
export class DeliveryFailed extends Error {
  override readonly name: string = 'DeliveryFailed';

  constructor(
    message: string,
    readonly details: FailureDetails = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export interface FailureDetails extends TryResult {
  /** The pause that the receiver requests, in ms. */
  askedMs?: number | null;
  /** Consecutive failures, including this one; default: the attempts of the delivery. */
  failures?: number;
  /** Whether the failure is ours, because nothing was sent to the receiver. */
  isOurs?: boolean;
}

export interface Sent extends TryResult {
  /** Whether more data of the same delivery waits, so that the delivery is taken again without a pause. */
  isPartial?: boolean;
}

export interface Delivery {
  kind: DeliveryKind;
  /** The scope in which deliveries are sent in order and one at a time. */
  orderKey: OrderKey;
  /** The maximum number of attempts; default: no limit. */
  tries?: number;
  /** Pauses between the attempts; the last one repeats. */
  pausesMs: readonly number[];
  timeoutMs: number;
  /** The most deliveries that one process sends at the same time. */
  atOnce: number;
  /** The most deliveries at the same time that have failed before. */
  retriedAtOnce: number;
  /** The PostgreSQL channel that announces new deliveries; default: they are found by polling. */
  channel?: string;
  /** Types that are sent before all others of their order key, even while the key pauses. */
  urgent?: readonly string[];
  /** For these types, only the newest waiting delivery is sent. */
  latestOnly?: readonly string[];
  /** Whether deliveries of disabled gateways wait. */
  needsEnabledGateway?: boolean;
  /** @throws DeliveryFailed, FeedError or PostFailed, whose message the log of deliveries shows */
  send(delivery: ClaimedDelivery, signal: AbortSignal): Promise<Sent>;
  /** Runs after a success was recorded. */
  afterSuccess?(delivery: ClaimedDelivery): Promise<void>;
  /** Runs before a failure is recorded. @returns whether the delivery is final */
  afterFailure?(delivery: ClaimedDelivery, details: FailureDetails, pauseMs: number): Promise<boolean>;
  /** Runs every few seconds in every ingestor. */
  upkeep?(): Promise<void>;
}

export function defineDelivery(delivery: Delivery): Delivery {
  return delivery;
}
