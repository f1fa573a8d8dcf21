import type { GatewaySummary } from '@passerelle/database';
import { isInState, isOverdue } from './gateway-view';

/** States from worst to best; each gateway has exactly one. States of gateways that do not run come last. */
export const ROW_STATES = ['failing', 'held', 'never', 'overdue', 'fresh', 'paused', 'disabled'] as const;
export type RowState = (typeof ROW_STATES)[number];

export type GatewayRow = GatewaySummary & {
  state: RowState;
  /** ISO 8601: when the gateway entered its state; null when unknown. */
  since: string | null;
};

/** Adds its state to a gateway. @param defaultEverySeconds for gateways whose `everySeconds` is null */
export function toGatewayRow(gateway: GatewaySummary, now: Date, defaultEverySeconds: number): GatewayRow {
  const { active, paused, heldRunId, failures, listings } = gateway;
  const overdue = active && paused === null && isOverdue(gateway, now, defaultEverySeconds);
  const facts = { active, paused, held_run: heldRunId, failures, overdue, snapshot: listings };
  // The pause comes before `held`, because a held run needs no decision while its gateway is paused.
  const state = STATES_IN_TURN.find((known) => isInState(facts, known)) ?? 'fresh';
  // Mutates the object, because copying 20,000 gateways takes longer than reading them.
  const own: Pick<GatewayRow, 'state' | 'since'> = { state, since: sinceOf(gateway, state) };
  return Object.assign(gateway, own);
}

const STATES_IN_TURN = ['disabled', 'paused', 'failing', 'held', 'never', 'overdue'] as const;

function sinceOf(gateway: GatewaySummary, state: RowState): string | null {
  if (state === 'failing') return gateway.failingSince;
  if (state === 'held') return gateway.heldSince;
  if (state === 'paused') return gateway.paused?.since ?? null;
  return state === 'overdue' || state === 'fresh' ? gateway.confirmedAt : null;
}

export interface Filter {
  /** A part of the connector's code, of the client, or of the source's host. */
  q?: string;
  state?: RowState;
  crm?: string;
}

export function filterRows(rows: readonly GatewayRow[], { q, state, crm }: Filter): GatewayRow[] {
  const text = q?.trim().toLowerCase() ?? '';
  return rows.filter(
    (row) =>
      (state === undefined || row.state === state) &&
      (crm === undefined || row.crm === crm) &&
      (text === '' || `${row.crm}/${row.client}`.toLowerCase().includes(text) || hostOf(row).includes(text)),
  );
}

function hostOf({ sourceUrl }: GatewaySummary): string {
  // Extracts the host with an expression, because parsing 20,000 addresses would take longer than everything else.
  return /^[a-z]+:\/\/(?:[^/@]*@)?([^/?#]*)/i.exec(sourceUrl ?? '')?.[1]?.toLowerCase() ?? '';
}

export const ROW_ORDERS = ['name', 'state', 'listings', 'confirmed', 'next'] as const;
export type RowOrder = (typeof ROW_ORDERS)[number];

/** Sorts rows; equal rows are ordered by name. `isReversed` reverses the order. */
export function sortRows(rows: readonly GatewayRow[], order: RowOrder, isReversed: boolean): GatewayRow[] {
  const sorted = [...rows].sort(COMPARISONS[order]);
  return isReversed ? sorted.reverse() : sorted;
}

const COMPARISONS: Readonly<Record<RowOrder, (one: GatewayRow, other: GatewayRow) => number>> = {
  name: byName,
  // The gateways with the longest waiting time come first.
  state: (one, other) =>
    ROW_STATES.indexOf(one.state) - ROW_STATES.indexOf(other.state) ||
    compare(one.since ?? '', other.since ?? '') ||
    byName(one, other),
  listings: (one, other) => (one.listings ?? -1) - (other.listings ?? -1) || byName(one, other),
  confirmed: (one, other) => compare(one.confirmedAt ?? '', other.confirmedAt ?? '') || byName(one, other),
  next: (one, other) => compare(one.nextRunAt, other.nextRunAt) || byName(one, other),
};

function byName(one: GatewayRow, other: GatewayRow): number {
  return compare(one.crm, other.crm) || compare(one.client, other.client);
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** The number of gateways in a state, and the earliest time at which one of them entered it. */
export interface StateCount {
  state: RowState;
  count: number;
  oldest: string | null;
}

/** Returns one entry per state, even if no gateway is in it. */
export function countByState(rows: readonly GatewayRow[]): StateCount[] {
  const counts = new Map(ROW_STATES.map((state) => [state, { state, count: 0, oldest: null as string | null }]));
  for (const { state, since } of rows) {
    const entry = counts.get(state)!;
    entry.count += 1;
    if (since !== null && (entry.oldest === null || since < entry.oldest)) entry.oldest = since;
  }
  return [...counts.values()];
}
