import { maskUrl } from '@passerelle/connectors/operators';
import type { GatewayDetails } from '@passerelle/database';
import { isGatewayActive, type RunView } from '@passerelle/domain';

/** A gateway as the operators' tools print it. Times are ISO 8601 in UTC. */
export interface GatewayView {
  id: number;
  crm: string;
  client: string;
  /** False when an operator disabled it or its contract has ended. */
  active: boolean;
  enabled: boolean;
  contract_end: string | null;
  /** Without what may be secret in it. */
  source_url: string;
  settings: Record<string, string>;
  has_credentials: boolean;
  /** Null: the ingestor's default. */
  every_seconds: number | null;
  /** Null until something was published. */
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
  keys: { prefix: string; created_at: string; expires_at: string | null }[];
}

export type ShownGateway = GatewayView & { last_run: RunView | null };

export function toGatewayView(gateway: GatewayDetails, now: Date): GatewayView {
  return {
    id: gateway.id,
    crm: gateway.crm,
    client: gateway.client,
    active: isGatewayActive(gateway, now),
    enabled: gateway.enabled,
    contract_end: gateway.contractEnd,
    source_url: maskUrl(gateway.sourceUrl),
    settings: gateway.settings,
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
    keys: gateway.keys.map(({ prefix, createdAt, expiresAt }) => ({
      prefix,
      created_at: createdAt,
      expires_at: expiresAt,
    })),
  };
}
