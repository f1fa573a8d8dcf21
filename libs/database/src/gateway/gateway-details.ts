import type { GatewayPause, KeyTerms } from '@passerelle/domain';
import type { Repository, SelectQueryBuilder } from 'typeorm';
import type { GatewayEntity } from '../entities/gateway.entity';
import { RunEntity } from '../entities/run.entity';
import { PAUSE_JSON } from './pause-sql';

/** A gateway as shown to operators. Times are ISO 8601 in UTC. */
export interface GatewayDetails {
  id: number;
  crm: string;
  client: string;
  /** Contains secrets unless `isSealed`. So do settings that are addresses: mask the source and the settings. */
  sourceUrl: string;
  settings: Record<string, string>;
  isSealed: boolean;
  hasCredentials: boolean;
  enabled: boolean;
  /** The pause that ends last; null when the gateway is not paused. */
  paused: GatewayPause | null;
  contractEnd: string | null;
  everySeconds: number | null;
  listings: number | null;
  snapshotId: number | null;
  publishedAt: string | null;
  confirmedAt: string | null;
  nextRunAt: string;
  missedRuns: number;
  failures: number;
  failingSince: string | null;
  /** The reason of the last failed run; null when the gateway does not fail. */
  failingReason: string | null;
  /** The run that waits for an operator's decision. */
  heldRunId: number | null;
  /** Why that run is held. */
  heldReason: string | null;
  /** `lastUsedOn` is a day in UTC, `YYYY-MM-DD`. */
  keys: (KeyTerms & {
    id: number;
    prefix: string;
    createdAt: string;
    expiresAt: string | null;
    lastUsedOn: string | null;
  })[];
}

/** Loads gateways in the order of their names. @param name of one gateway; null for all. */
export async function loadDetails(
  gateways: Repository<GatewayEntity>,
  name: { crm: string; client: string } | null,
): Promise<GatewayDetails[]> {
  const query = gateways
    .createQueryBuilder('gateway')
    .innerJoinAndSelect('gateway.schedule', 'schedule')
    .leftJoinAndSelect('gateway.currentSnapshot', 'snapshot', 'snapshot.gatewayId = gateway.id')
    .leftJoinAndSelect('gateway.keys', 'key', 'key.expires_at IS NULL OR key.expires_at > now()')
    .addSelect(lastFailure, 'failing_reason')
    .addSelect(heldRun('id'), 'held_run')
    .addSelect(heldRun('reason'), 'held_reason')
    .addSelect(lastPause, 'paused')
    .where(name ?? {})
    .orderBy({ 'gateway.crm': 'ASC', 'gateway.client': 'ASC', 'key.id': 'ASC' });
  const { entities, raw } = await query.getRawAndEntities<{ gateway_id: number } & Trouble>();
  const troubles = new Map(raw.map((row) => [row.gateway_id, row]));
  return entities.map((gateway) => toDetails(gateway, troubles.get(gateway.id) ?? NO_TROUBLE));
}

interface Trouble {
  failing_reason: string | null;
  held_run: number | null;
  held_reason: string | null;
  paused: GatewayPause | null;
}

const NO_TROUBLE: Trouble = { failing_reason: null, held_run: null, held_reason: null, paused: null };

function heldRun(column: 'id' | 'reason') {
  return (query: SelectQueryBuilder<object>): SelectQueryBuilder<RunEntity> =>
    query
      .select(`held.${column}`)
      .from(RunEntity, 'held')
      .where(`held.gateway_id = gateway.id AND held.state = 'held' AND NOT held.dry_run`)
      .orderBy('held.id', 'DESC')
      .limit(1);
}

function lastPause(query: SelectQueryBuilder<object>): SelectQueryBuilder<object> {
  return query
    .select(PAUSE_JSON)
    .from('gateway_pause', 'p')
    .where('p.gateway_id = gateway.id')
    .orderBy('p.until', 'DESC', 'NULLS FIRST')
    .addOrderBy('p.pause_id')
    .limit(1);
}

function lastFailure(query: SelectQueryBuilder<object>): SelectQueryBuilder<RunEntity> {
  return query
    .select('run.reason')
    .from(RunEntity, 'run')
    .where(`schedule.failures > 0 AND run.gateway_id = gateway.id AND run.state = 'failed' AND NOT run.dry_run`)
    .orderBy('run.id', 'DESC')
    .limit(1);
}

function toDetails(gateway: GatewayEntity, trouble: Trouble): GatewayDetails {
  const { id, crm, client, sourceUrl, settings, enabled, contractEnd, everySeconds, schedule, currentSnapshot } =
    gateway;
  return {
    ...{ id, crm, client, sourceUrl, settings },
    isSealed: gateway.sealedSource !== null,
    hasCredentials: gateway.credentials !== null,
    ...{ enabled, contractEnd, everySeconds, paused: trouble.paused },
    listings: currentSnapshot?.total ?? null,
    snapshotId: gateway.currentSnapshotId,
    publishedAt: currentSnapshot?.publishedAt?.toJSON() ?? null,
    confirmedAt: gateway.confirmedAt?.toJSON() ?? null,
    nextRunAt: schedule.nextRunAt.toJSON(),
    missedRuns: schedule.missedRuns,
    failures: schedule.failures,
    failingSince: schedule.failingSince?.toJSON() ?? null,
    failingReason: trouble.failing_reason,
    heldRunId: trouble.held_run,
    heldReason: trouble.held_reason,
    keys: gateway.keys.map(({ id: keyId, prefix, scope, networks, createdAt, expiresAt, lastUsedOn }) => ({
      ...{ id: keyId, prefix, scope, networks },
      createdAt: createdAt.toJSON(),
      expiresAt: expiresAt?.toJSON() ?? null,
      lastUsedOn,
    })),
  };
}
