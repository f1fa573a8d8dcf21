import type { OrderKey, TakenDelivery, TryResult } from '@passerelle/database';
import type { DeliveryKind } from '@passerelle/domain';

/** A try that did not succeed. The message is one sentence without anything private. */
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
  /** The pause that the receiver asks for. */
  askedMs?: number | null;
  /** Failures in a row, with this one; default: the tries of the delivery. */
  failures?: number;
  /** Nothing was sent, which is not the receiver's fault. */
  isOurs?: boolean;
}

export interface Sent extends TryResult {
  /** More of the same delivery waits: it is taken again without a pause. */
  isPartial?: boolean;
}

/** A kind of message to outside systems. */
export interface Delivery {
  kind: DeliveryKind;
  /** What is delivered one at a time and in order. */
  orderKey: OrderKey;
  /** After so many tries it is given up; default: never. */
  tries?: number;
  /** Pauses between the tries; the last one repeats. */
  pausesMs: readonly number[];
  /** The time limit of one try. */
  timeoutMs: number;
  /** Deliveries that one process sends at a time. */
  atOnce: number;
  /** Of these, deliveries that have failed before. */
  retriedAtOnce: number;
  /** PostgreSQL channel that says that there is a new one; default: new ones are found by polling. */
  channel?: string;
  /** Types that precede all others of their order key, even while it pauses. */
  urgent?: readonly string[];
  /** Types of which only the newest one that waits is sent. */
  latestOnly?: readonly string[];
  /** Deliveries of disabled gateways wait. */
  needsEnabledGateway?: boolean;
  /** @throws DeliveryFailed, FeedError or PostFailed, whose message the log of deliveries shows */
  send(delivery: TakenDelivery, signal: AbortSignal): Promise<Sent>;
  /** Runs after a success was recorded. */
  afterSuccess?(delivery: TakenDelivery): Promise<void>;
  /** Runs before a failure is recorded. @returns whether the delivery is given up */
  afterFailure?(delivery: TakenDelivery, details: FailureDetails, pauseMs: number): Promise<boolean>;
  /** Runs every few seconds in every ingestor. */
  upkeep?(): Promise<void>;
}

export function defineDelivery(delivery: Delivery): Delivery {
  return delivery;
}
