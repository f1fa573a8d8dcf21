import type { GatewayDetails } from '@passerelle/database';
import {
  CLOCK_TOLERANCE_MS,
  type GatewayPause,
  type GatewayState,
  isFresh,
  isGatewayActive,
  isInState,
  type KeyTerms,
  maskSettings,
  maskUrl,
  type RunView,
} from '@passerelle/domain';
import type { FeedMemoryView } from './feed-memory';

/** A gateway as the operators' tools print it. Times are ISO 8601 in UTC. */
export interface GatewayView {
  id: number;
  crm: string;
  client: string;
  /** False when an operator has disabled the gateway, or its contract has ended. */
  active: boolean;
  enabled: boolean;
  /** The current pause: until it ends, no run reads the source, but the API serves the list. Null when not paused. */
  paused: GatewayPause | null;
  contract_end: string | null;
  /** Without secrets. */
  source_url: string;
  settings: Record<string, string>;
  has_credentials: boolean;
  /** If null, the ingestor's default applies. */
  every_seconds: number | null;
  /** Null until a list is published. */
  listings: number | null;
  snapshot: number | null;
  published_at: string | null;
  confirmed_at: string | null;
  next_run_at: string;
  missed_runs: number;
  /** Failed runs in a row. */
  failures: number;
  failing_since: string | null;
  /** Why its last run failed. */
  failing_reason: string | null;
  /** Until an operator decides or another run publishes, the list does not change. */
  held_run: number | null;
  /** Why it is held. */
  held_reason: string | null;
  /** True when the gateway is active and not paused, but its list was last confirmed more than three periods ago. */
  overdue: boolean;
  /** `last_used_on` is a day in UTC, `YYYY-MM-DD`; null for a key that was never used. */
  keys: (KeyTerms & {
    id: number;
    prefix: string;
    created_at: string;
    expires_at: string | null;
    last_used_on: string | null;
  })[];
}

export interface WaitingFeedbackView {
  listings: number;
  since: string;
  tries: number;
  error: string | null;
  next_try_at: string | null;
}

export type ShownGateway = GatewayView & {
  last_run: RunView | null;
  feedback: WaitingFeedbackView | null;
  /** Null when the gateway was deleted in the meantime. */
  memory: FeedMemoryView | null;
};

/** The settings that decide whether a list is fresh, and whether a gateway is overdue. */
export interface FreshnessTerms {
  /** For gateways whose own period is null. */
  everySeconds: number;
  ttlSeconds: number;
}

/** Whether a gateway is in a state; it can be in several. */
export function isViewInState(
  view: GatewayView,
  state: GatewayState,
  now: Date,
  { ttlSeconds }: FreshnessTerms,
): boolean {
  const { active, paused, failures, held_run, snapshot, confirmed_at, overdue } = view;
  return isInState(
    {
      ...{ isDisabled: !active, isPaused: paused !== null, failures, isHeld: held_run !== null },
      ...{ hasList: snapshot !== null, isFresh: isFresh(ageMsOf(confirmed_at, now), ttlSeconds), isOverdue: overdue },
    },
    state,
  );
}

export function ageMsOf(confirmedAt: string | null, now: Date): number | null {
  return confirmedAt === null ? null : now.getTime() - Date.parse(confirmedAt);
}

/** The alerts use the same number. */
const OVERDUE_PERIODS = 3;

export function toGatewayView(gateway: GatewayDetails, now: Date, { everySeconds }: FreshnessTerms): GatewayView {
  const active = isGatewayActive(gateway, now);
  return {
    id: gateway.id,
    crm: gateway.crm,
    client: gateway.client,
    active,
    enabled: gateway.enabled,
    paused: gateway.paused,
    contract_end: gateway.contractEnd,
    source_url: maskUrl(gateway.sourceUrl),
    settings: maskSettings(gateway.settings),
    has_credentials: gateway.hasCredentials,
    every_seconds: gateway.everySeconds,
    listings: gateway.listings,
    snapshot: gateway.snapshotId,
    published_at: gateway.publishedAt,
    confirmed_at: gateway.confirmedAt,
    next_run_at: gateway.nextRunAt,
    missed_runs: gateway.missedRuns,
    failures: gateway.failures,
    failing_since: gateway.failingSince,
    failing_reason: gateway.failingReason,
    held_run: gateway.heldRunId,
    held_reason: gateway.heldReason,
    overdue: active && gateway.paused === null && isOverdue(gateway, now, everySeconds),
    keys: gateway.keys.map(({ id, prefix, scope, networks, createdAt, expiresAt, lastUsedOn }) => ({
      ...{ id, prefix, scope, networks },
      created_at: createdAt,
      expires_at: expiresAt,
      last_used_on: lastUsedOn,
    })),
  };
}

/** Also true for a time in the future, left by a clock that was set back. */
export function isOverdue(
  { confirmedAt, everySeconds }: { confirmedAt: string | null; everySeconds: number | null },
  now: Date,
  defaultEverySeconds: number,
): boolean {
  const limitMs = (everySeconds ?? defaultEverySeconds) * OVERDUE_PERIODS * 1000;
  const ageMs = ageMsOf(confirmedAt, now);
  if (ageMs === null) return false;
  return ageMs > limitMs || ageMs < -CLOCK_TOLERANCE_MS;
}
