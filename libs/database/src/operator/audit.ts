import type { AuditAct, AuditEntry, AuditValues, AuditWay } from '@passerelle/domain';
import { Pool } from 'pg';

export interface AuditedChange {
  id: number;
  /** ISO 8601 in UTC. */
  at: string;
  who: string;
  through: AuditWay;
  act: AuditAct;
  crm: string | null;
  client: string | null;
  runId: number | null;
  before: AuditValues | null;
  after: AuditValues | null;
  reason: string | null;
  /** The entry of an act on many gateways to which this entry belongs; null for an act of its own. */
  partOf: number | null;
  /** Whether this is an act on many gateways, whose parts `partOf` lists. */
  hasParts: boolean;
}

/** The audit records of `ops backup`. */
export interface BackupFacts {
  /** Time of the last successful backup, ISO 8601; null for never. */
  at: string | null;
  /** The age of the last successful backup by the database's clock; null for never. */
  ageSeconds: number | null;
  /** The error of the last attempt; null when it succeeded, or there was none. */
  failure: string | null;
}

/** Filters of the list; an absent member does not restrict it. */
export interface AuditFilter {
  who?: string;
  act?: string;
  crm?: string;
  client?: string;
  /** Lists the parts of this entry. Without it and without a gateway, parts are left out. */
  partOf?: number;
  /** Whether parts are listed like other entries. */
  withParts?: boolean;
  /** Selects changes up to the end of this day in UTC, `YYYY-MM-DD`. */
  until?: string;
  beforeId?: number;
  limit: number;
}

/** The audit of changes by operators. Rows are added, and removed after two years, but never changed. */
export class AuditLog {
  constructor(private readonly pool: Pool) {}

  async record(entries: readonly AuditEntry[]): Promise<void> {
    if (entries.length > 0) await this.pool.query(insertAudit('$1'), [auditRows(entries)]);
  }

  /** Records an act on many gateways. @returns the id for `partOf` of its parts */
  async begin(entry: AuditEntry): Promise<number> {
    const { rows } = await this.pool.query<{ id: number }>(`${insertAudit('$1')} RETURNING id`, [auditRows([entry])]);
    return rows[0]!.id;
  }

  /** Newest first. */
  async list({
    who,
    act,
    crm,
    client,
    partOf,
    withParts = false,
    until,
    beforeId,
    limit,
  }: AuditFilter): Promise<AuditedChange[]> {
    const { rows } = await this.pool.query<AuditedChange>(
      `SELECT id, to_json(at) #>> '{}' AS at, who, through, act, crm, client, run_id AS "runId", before, after, reason,
              part_of AS "partOf", EXISTS (SELECT FROM audit p WHERE p.part_of = audit.id) AS "hasParts"
       FROM audit
       WHERE ($1::text IS NULL OR who = $1) AND ($2::text IS NULL OR act = $2) AND ($3::text IS NULL OR crm = $3)
         AND ($4::text IS NULL OR client = $4) AND ($5::bigint IS NULL OR id < $5)
         AND ($8::bigint IS NULL OR part_of = $8) AND ($8 IS NOT NULL OR $9 OR $4 IS NOT NULL OR part_of IS NULL)
         AND ($6::date IS NULL OR at < ($6::date + 1)::timestamp AT TIME ZONE 'UTC')
       ORDER BY id DESC LIMIT $7`,
      [
        who ?? null,
        act ?? null,
        crm ?? null,
        client ?? null,
        beforeId ?? null,
        until ?? null,
        limit,
        partOf ?? null,
        withParts,
      ],
    );
    return rows;
  }

  async backups(): Promise<BackupFacts> {
    const { rows } = await this.pool.query<BackupFacts>(
      `SELECT to_json(good.at) #>> '{}' AS at, extract(epoch FROM clock_timestamp() - good.at)::float8 AS "ageSeconds",
              CASE WHEN failed.id > coalesce(good.id, 0) THEN coalesce(failed.reason, 'no reason was recorded') END AS failure
       FROM (SELECT) one
       LEFT JOIN (SELECT id, at FROM audit WHERE act = 'backup' ORDER BY id DESC LIMIT 1) good ON true
       LEFT JOIN (SELECT id, reason FROM audit WHERE act = 'backup failed' ORDER BY id DESC LIMIT 1) failed ON true`,
    );
    return rows[0] ?? { at: null, ageSeconds: null, failure: null };
  }

  /** Removes older changes. */
  async prune(keepDays: number): Promise<void> {
    await this.pool.query('DELETE FROM audit WHERE at < now() - make_interval(days => $1)', [keepDays]);
  }
}

/** SQL for the statement that makes the change: the change and its record are stored together or not at all. */
export function insertAudit(parameter: string): string {
  return `INSERT INTO audit (who, through, act, crm, client, run_id, before, after, reason, part_of)
          SELECT who, through, act, crm, client, run_id, before, after, reason, part_of
          FROM jsonb_to_recordset(${parameter}) AS entry
            (who text, through text, act text, crm text, client text, run_id bigint, before jsonb, after jsonb, reason text,
             part_of bigint)`;
}

/** The value for the parameter of `insertAudit`. */
export function auditRows(entries: readonly AuditEntry[]): string {
  return JSON.stringify(
    entries.map(({ who, through, act, crm, client, runId, before, after, reason, partOf }) => ({
      ...{ who, through, act, crm, client, run_id: runId, before, after, reason, part_of: partOf },
    })),
  );
}
