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

export interface ConnectorCounts {
  gateways: number;
  /** Without empty states. */
  counts: readonly StateCount[];
}

/** All gateways at one moment, with the lists that pages derive from them, computed once for all viewers. */
export class AllGateways {
  readonly counts: readonly StateCount[];
  readonly pendingDecisions: readonly PendingDecision[];
  readonly queued: QueuedRuns;
  readonly snoozed: ReadonlySet<number>;
  /** Every connector that has a gateway. */
  readonly crms: readonly string[];
  private connectors: ReadonlyMap<string, ConnectorCounts> | null = null;
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

  /** The gateways of each connector by state, computed at the first call. */
  byConnector(): ReadonlyMap<string, ConnectorCounts> {
    if (this.connectors !== null) return this.connectors;
    const rowsOf = new Map<string, GatewayRow[]>(this.crms.map((crm) => [crm, []]));
    for (const row of this.rows) rowsOf.get(row.crm)?.push(row);
    this.connectors = new Map(
      [...rowsOf].map(([crm, rows]) => [
        crm,
        { gateways: rows.length, counts: countByState(rows).filter(({ count }) => count > 0) },
      ]),
    );
    return this.connectors;
  }

  /** The sorted gateways. Callers must not change the result. */
  sorted(order: RowOrder): readonly GatewayRow[] {
    const sorted = this.orders.get(order) ?? sortRows(this.rows, order, false);
    this.orders.set(order, sorted);
    return sorted;
  }
}
