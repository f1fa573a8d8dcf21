import type { FollowUp } from '@passerelle/database';
import {
  countByState,
  type GatewayRow,
  type QueuedRuns,
  queuedRunsOf,
  type RowOrder,
  sortRows,
  type StateCount,
  type PendingDecision,
  pendingDecisions,
  snoozedGateways,
} from '@passerelle/operations';

/** All gateways at one moment, with the lists that pages derive from them, computed once for all viewers. */
export class AllGateways {
  readonly counts: readonly StateCount[];
  readonly pendingDecisions: readonly PendingDecision[];
  readonly queued: QueuedRuns;
  readonly snoozed: ReadonlySet<number>;
  /** Every connector that has a gateway. */
  readonly crms: readonly string[];
  private readonly orders = new Map<RowOrder, readonly GatewayRow[]>();

  constructor(
    readonly rows: readonly GatewayRow[],
    readonly followUps: ReadonlyMap<number, FollowUp>,
    now: Date,
  ) {
    this.snoozed = snoozedGateways([...followUps.values()], now);
    this.counts = countByState(rows);
    this.pendingDecisions = pendingDecisions(rows, this.snoozed);
    this.queued = queuedRunsOf(rows, now);
    this.crms = [...new Set(rows.map(({ crm }) => crm))].sort();
  }

  /** The sorted gateways. Callers must not change the result. */
  sorted(order: RowOrder): readonly GatewayRow[] {
    const sorted = this.orders.get(order) ?? sortRows(this.rows, order, false);
    this.orders.set(order, sorted);
    return sorted;
  }
}
