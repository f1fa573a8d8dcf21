import type { ExportCounts, ExportHold, ExportResult } from '@passerelle/domain';
import { Pool } from 'pg';
import { IS_CONFIRMED_AHEAD, IS_GATEWAY_ACTIVE } from '../gateway/served-gateways';
import { joinText } from '../snapshot/version-sql';
import type { PlacementTerms } from './placements';
import { type ExportFence, ExportTakenOver } from './publications';

/** A placement with the facts of its gateway, for one export. */
export interface ExportedPlacement extends PlacementTerms {
  id: number;
  gatewayId: number;
  crm: string;
  client: string;
  target: string;
  /** Sealed. */
  credentials: Buffer | null;
  isOn: boolean;
  isEnding: boolean;
  failures: number;
  configHash: string | null;
  documentHash: string | null;
  lastSnapshotId: number | null;
  gatewaySettings: Readonly<Record<string, string>>;
  isPaused: boolean;
  /** Whether the contract ended long enough ago. */
  isContractOver: boolean;
  /** Whether the source has confirmed the current snapshot lately. */
  isConfirmed: boolean;
  /** Null before the first publication. */
  snapshot: { id: number; total: number; publishedAtMs: number } | null;
}

/** A listing of the snapshot, without its text. */
export interface ExportedVersion {
  versionId: number;
  affId: string;
  affNum: string | null;
  /** First publication of this version, in ms since 1970; null when it is no longer known. */
  changedAtMs: number | null;
}

export interface ExportOutcome {
  result: ExportResult;
  counts: ExportCounts;
  snapshotId: number | null;
  configHash?: string | null;
  documentHash?: string | null;
  /** When the next export is due without a new snapshot; null for never. */
  dueInMs: number | null;
  held?: ExportHold | null;
}

/** SQL: `$2` days after its end a contract takes the adverts offline. */
const CONTRACT_OVER = `(g.contract_end IS NOT NULL AND g.contract_end + $2::integer < (now() AT TIME ZONE 'Europe/Paris')::date)`;
const IS_PAUSED = 'EXISTS (SELECT FROM gateway_pause w WHERE w.gateway_id = g.id)';
/** SQL: `$1` seconds for which a confirmation holds. */
const IS_CONFIRMED = `coalesce(g.confirmed_at > now() - make_interval(secs => $1) AND NOT ${IS_CONFIRMED_AHEAD}, false)`;

/** Reads the facts for exports, and records their results. */
export class ExportRuns {
  constructor(private readonly pool: Pool) {}

  async load(placementId: number, ttlSeconds: number, contractDays: number): Promise<ExportedPlacement | null> {
    const { rows } = await this.pool.query<ExportedPlacement>({
      name: 'exported-placement',
      text: `SELECT p.id, p.gateway_id AS "gatewayId", g.crm, g.client, p.target, p.credentials, p.contact, p.rule,
               p.embargo_hours AS "embargoHours", p.id_scheme AS "idScheme", p.advert_ids AS "advertIds", p.language, p.settings,
               p.is_on AS "isOn", p.is_dry_run AS "isDryRun", p.is_ending AS "isEnding", p.failures, p.config_hash AS "configHash",
               p.document_hash AS "documentHash", p.snapshot_id AS "lastSnapshotId", p.keeps_after_contract AS "keepsAfterContract",
               g.settings AS "gatewaySettings", ${IS_PAUSED} AS "isPaused", ${IS_CONFIRMED} AS "isConfirmed",
               ${CONTRACT_OVER} AND NOT p.keeps_after_contract AS "isContractOver",
               CASE WHEN s.id IS NOT NULL THEN json_build_object('id', s.id, 'total', s.total,
                 'publishedAtMs', floor(extract(epoch FROM s.published_at) * 1000)) END AS snapshot
             FROM placement p JOIN gateway g ON g.id = p.gateway_id
             LEFT JOIN snapshot s ON s.gateway_id = g.id AND s.id = g.current_snapshot_id
             WHERE p.id = $3`,
      values: [ttlSeconds, contractDays, placementId],
    });
    return rows[0] ?? null;
  }

  /** The versions of one chunk, in the snapshot's order; empty after the last chunk. */
  async versions(gatewayId: number, snapshotId: number, chunk: number): Promise<ExportedVersion[]> {
    const { rows } = await this.pool.query<ExportedVersion>({
      name: 'exported-versions',
      text: `SELECT v.id AS "versionId", v.aff_id AS "affId", v.aff_num AS "affNum",
               floor(extract(epoch FROM s.published_at) * 1000)::float8 AS "changedAtMs"
             FROM snapshot_chunk c CROSS JOIN LATERAL unnest(c.version_ids) WITH ORDINALITY AS u (version_id, ordinal)
             JOIN listing_version v ON v.gateway_id = $1 AND v.id = u.version_id
             LEFT JOIN snapshot s ON s.gateway_id = $1 AND s.id = v.snapshot_id
             WHERE c.gateway_id = $1 AND c.snapshot_id = $2 AND c.chunk = $3 ORDER BY u.ordinal`,
      values: [gatewayId, snapshotId, chunk],
    });
    return rows;
  }

  /** JSON texts of listings, by version. */
  async texts(gatewayId: number, versionIds: readonly number[]): Promise<Map<number, string>> {
    if (versionIds.length === 0) return new Map();
    const { rows } = await this.pool.query<[number, string]>({
      name: 'exported-texts',
      rowMode: 'array',
      text: `SELECT u.id, n.body FROM unnest($2::bigint[]) AS u (id) ${joinText('listing_normalized', 'n', 'u.id')}`,
      values: [gatewayId, versionIds],
    });
    return new Map(rows);
  }

  /** When listings were first listed, in ms since 1970, for those that were not listed before the last `hours`. */
  async firstListed(gatewayId: number, hours: number): Promise<Map<string, number>> {
    const { rows } = await this.pool.query<[string, number]>({
      rowMode: 'array',
      text: `SELECT aff_id, floor(extract(epoch FROM min(at)) * 1000)::float8 FROM listing_change
             WHERE gateway_id = $1 AND kind = 'added' GROUP BY aff_id HAVING min(at) > now() - make_interval(hours => $2)`,
      values: [gatewayId, hours],
    });
    return new Map(rows);
  }

  /** Records the end of an export. @throws ExportTakenOver */
  async noteEnd({ id, fence, placementId }: ExportFence, outcome: ExportOutcome): Promise<void> {
    const { result, counts, snapshotId, configHash = null, documentHash = null, dueInMs, held = null } = outcome;
    const { rowCount } = await this.pool.query(
      `UPDATE placement SET result = $2, counts = $3, exported_at = now(), snapshot_id = $4, config_hash = coalesce($5, config_hash),
         document_hash = coalesce($6, document_hash), due_at = now() + make_interval(secs => $7::float8 / 1000),
         held = $8, held_at = CASE WHEN $8::json IS NULL THEN NULL WHEN held IS NULL THEN now() ELSE held_at END,
         waits_for_confirmation = $2 = 'unconfirmed', failures = 0, failing_since = NULL, failure = NULL
       WHERE id = $1 AND EXISTS (SELECT FROM outbox WHERE id = $9 AND fence = $10 AND state = 'pending')`,
      [
        ...[placementId, result, JSON.stringify(counts), snapshotId, configHash, documentHash, dueInMs],
        ...[held === null ? null : JSON.stringify(held), id, fence],
      ],
    );
    if (rowCount !== 1) throw new ExportTakenOver('another process has taken this export over');
  }

  /** Remembers what the portal has, before adverts are recorded. @throws ExportTakenOver */
  async noteDocument({ id, fence, placementId }: ExportFence, documentHash: string): Promise<void> {
    const { rowCount } = await this.pool.query(
      `UPDATE placement SET document_hash = $2
       WHERE id = $1 AND EXISTS (SELECT FROM outbox WHERE id = $3 AND fence = $4 AND state = 'pending')`,
      [placementId, documentHash, id, fence],
    );
    if (rowCount !== 1) throw new ExportTakenOver('another process has taken this export over');
  }

  /** Lets the list be sent again when a process sent an older one after another process had taken the export over. */
  async noteLateList({ id, fence, placementId }: ExportFence): Promise<void> {
    await this.pool.query(
      `WITH late AS (
         UPDATE placement SET document_hash = NULL
         WHERE id = $1 AND NOT EXISTS (SELECT FROM outbox WHERE id = $3 AND fence = $4 AND state = 'pending') RETURNING id
       ), again AS (
         INSERT INTO outbox (gateway_id, placement_id, kind, type, data)
         SELECT gateway_id, id, 'export', 'export', $2::json FROM placement WHERE id IN (SELECT id FROM late) AND is_on
       )
       SELECT FROM late`,
      [placementId, JSON.stringify({ force: true }), id, fence],
    );
  }

  /** @param reason one sentence without secrets @returns consecutive failures with this one */
  async noteFailure({ id, fence, placementId }: Omit<ExportFence, 'gatewayId'>, reason: string): Promise<number> {
    const { rows } = await this.pool.query<{ failures: number }>(
      `UPDATE placement SET failures = failures + 1, failing_since = coalesce(failing_since, now()), failure = $2
       WHERE id = $1 AND EXISTS (SELECT FROM outbox WHERE id = $3 AND fence = $4 AND state = 'pending')
       RETURNING failures`,
      [placementId, reason, id, fence],
    );
    return rows[0]?.failures ?? 1;
  }

  /** Deletes a placement whose adverts are all offline. */
  async deleteEnded(placementId: number): Promise<void> {
    await this.pool.query('DELETE FROM placement WHERE id = $1 AND is_ending', [placementId]);
  }

  /** Queues the exports that are due without a new snapshot. */
  async enqueueDue(ttlSeconds: number, contractDays: number): Promise<void> {
    await this.pool.query({
      name: 'enqueue-exports',
      text: `
        WITH due AS (
          UPDATE placement p SET due_at = NULL FROM gateway g
          WHERE g.id = p.gateway_id AND p.is_on AND NOT ${IS_PAUSED} AND (
            p.due_at <= now() AND (${IS_GATEWAY_ACTIVE} OR ${CONTRACT_OVER})
              AND (NOT p.waits_for_confirmation OR ${IS_CONFIRMED} OR p.is_ending)
            OR ${CONTRACT_OVER} AND NOT p.keeps_after_contract AND p.result IS DISTINCT FROM 'held' AND p.due_at IS NULL
              AND p.exported_at < g.contract_end + $2::integer + interval '1 day'
          )
          AND NOT EXISTS (SELECT FROM outbox o WHERE o.placement_id = p.id AND o.kind = 'export' AND o.state = 'pending')
          RETURNING p.id, p.gateway_id
        )
        INSERT INTO outbox (gateway_id, placement_id, kind, type) SELECT gateway_id, id, 'export', 'export' FROM due`,
      values: [ttlSeconds, contractDays],
    });
  }
}
