import { RETENTION } from '@passerelle/domain';
import { Pool, type PoolClient } from 'pg';
import { inTransaction } from '../transaction';

export interface CleaningOptions {
  /** How long runs with their rejections and warnings are kept. */
  keepDays: number;
}

/** The numbers of removed run rows: unchanged runs that were folded into the row of their day, and old runs. */
export interface Cleaned {
  folded: number;
  expired: number;
}

/** The number of a gateway's newest unchanged runs that are not folded. */
const KEPT_UNCHANGED = RETENTION.unchangedRuns.count;
/** A gateway is due only after this many runs, because each cleaning has to rewrite the row of the newest day. */
const DUE_AT = KEPT_UNCHANGED + 10;
/** The maximum number of rows that one cleaning removes per gateway: a backlog takes several cleanings. */
const MOST_ROWS = 300;
/** The limit up to which unchanged runs are counted. A gateway that reaches it needs more than one cleaning. */
const MOST_COUNTED = DUE_AT + MOST_ROWS;

/** The cost depends on the number of due rows, not of stored ones: docs/decisions/0033. */
export class RunCleaning {
  /** With 100, each gateway costs a fifth more; with 300, their schedules are locked for 20 to 30 ms. */
  static readonly gatewaysAtOnce = 300;

  constructor(private readonly pool: Pool) {}

  /** Lists the gateways that have runs to fold, or were not checked for a day. */
  async due(): Promise<number[]> {
    const { rows } = await this.pool.query<{ gateway_id: number }>(
      'SELECT gateway_id FROM gateway_schedule WHERE unfolded_runs >= $1 OR clean_at <= now() ORDER BY gateway_id',
      [DUE_AT],
    );
    return rows.map(({ gateway_id }) => gateway_id);
  }

  /** Skips gateways that another process is cleaning. A gateway whose backlog remains stays due. */
  async clean(gatewayIds: readonly number[], { keepDays }: CleaningOptions): Promise<Cleaned> {
    return inTransaction(this.pool, async (client) => {
      const { rows } = await client.query<{ gateway_id: number; is_looked_through: boolean }>(
        `SELECT gateway_id, clean_at <= now() AS is_looked_through FROM gateway_schedule
         WHERE gateway_id = ANY ($1::integer[]) AND (unfolded_runs >= $2 OR clean_at <= now())
         ORDER BY gateway_id FOR UPDATE SKIP LOCKED`,
        [gatewayIds, DUE_AT],
      );
      const ids = rows.map(({ gateway_id }) => gateway_id);
      const daily = rows.flatMap(({ gateway_id, is_looked_through }) => (is_looked_through ? [gateway_id] : []));
      const { expired, unfinished } = await expire(client, daily, keepDays);
      if (daily.length > 0) await count(client, daily, unfinished);
      return { folded: ids.length === 0 ? 0 : await fold(client, ids), expired };
    });
  }
}

/**
 * Deletes by position, because ended runs do not change while the gateway's schedule is locked. Held runs and runs of
 * stored snapshots stay, by the snapshots' rules: planning on all parts of `snapshot` took too long.
 */
async function expire(
  client: PoolClient,
  gatewayIds: readonly number[],
  keepDays: number,
): Promise<{ expired: number; unfinished: number[] }> {
  if (gatewayIds.length === 0) return { expired: 0, unfinished: [] };
  const { rows } = await client.query<{ expired: number; unfinished: number[] }>(
    `WITH old AS MATERIALIZED (
       SELECT g.gateway_id, r.place, r.id FROM unnest($1::integer[]) AS g (gateway_id) CROSS JOIN LATERAL (
         SELECT ctid AS place, id FROM run
         WHERE gateway_id = g.gateway_id AND ended_at < now() - make_interval(days => $2) AND state <> 'held'
           AND id < coalesce((
             SELECT id FROM run WHERE gateway_id = g.gateway_id AND ended_at >= now() - make_interval(days => $2)
             ORDER BY id LIMIT 1), ${Number.MAX_SAFE_INTEGER})
           AND (state <> 'published' OR (
             SELECT count(*) >= $4 AND min(ended_at) < now() - make_interval(hours => $5) FROM (
               SELECT ended_at FROM run newer
               WHERE newer.gateway_id = g.gateway_id AND newer.id > run.id AND newer.state = 'published' AND NOT newer.dry_run
               ORDER BY newer.id LIMIT $4) newer))
         ORDER BY id LIMIT $3) r
     ), gone AS (
       DELETE FROM run USING old WHERE run.ctid = old.place AND run.id = old.id
     )
     SELECT coalesce(sum(runs), 0)::integer AS expired,
            coalesce(array_agg(gateway_id) FILTER (WHERE runs = $3), '{}') AS unfinished
     FROM (SELECT gateway_id, count(*) AS runs FROM old GROUP BY gateway_id) counted`,
    [gatewayIds, keepDays, MOST_ROWS, RETENTION.snapshots.count, RETENTION.snapshots.hours],
  );
  return rows[0]!;
}

/** Counts runs that were not counted when they ended: runs of earlier releases and of crashed processes. */
async function count(client: PoolClient, gatewayIds: readonly number[], unfinished: readonly number[]): Promise<void> {
  await client.query(
    `UPDATE gateway_schedule t
     SET unfolded_runs = u.runs,
       -- Not all of them at the same hour of the next day.
       clean_at = CASE WHEN u.runs = $2 OR t.gateway_id = ANY ($3::integer[]) THEN t.clean_at ELSE now() + (0.5 + 0.5 * random()) * interval '1 day' END
     FROM gateway_schedule known
     CROSS JOIN LATERAL (
       SELECT count(*) AS runs FROM (
         SELECT FROM run WHERE gateway_id = known.gateway_id AND id > known.folded_to AND state = 'unchanged' AND NOT dry_run
         LIMIT $2) counted
     ) u
     WHERE known.gateway_id = ANY ($1::integer[]) AND t.gateway_id = known.gateway_id`,
    [gatewayIds, MOST_COUNTED, unfinished],
  );
}

/** Merges the unchanged runs of each day into the newest run of that day, together with an earlier row for the day. */
async function fold(client: PoolClient, gatewayIds: readonly number[]): Promise<number> {
  const { rows } = await client.query<{ folded: number }>(
    `WITH old AS MATERIALIZED (
       SELECT r.*, r.id > t.folded_to AS is_new, max(r.id) OVER (PARTITION BY r.gateway_id, r.day) AS line
       FROM gateway_schedule t
       CROSS JOIN LATERAL (
         SELECT ctid AS place, id, gateway_id, (ended_at AT TIME ZONE 'UTC')::date AS day,
                coalesce(folded_runs, 1) AS runs, coalesce(folded_since, started_at) AS since
         FROM run WHERE gateway_id = t.gateway_id AND id = t.folded_to AND state = 'unchanged'
         UNION ALL (
         SELECT ctid, id, gateway_id, (ended_at AT TIME ZONE 'UTC')::date, 1, started_at
         FROM run WHERE gateway_id = t.gateway_id AND id > t.folded_to AND state = 'unchanged' AND NOT dry_run
         ORDER BY id LIMIT least(greatest(t.unfolded_runs - $2::integer, 0), $3::integer))
       ) r
       WHERE t.gateway_id = ANY ($1::integer[])
     ), gone AS (
       DELETE FROM run USING old WHERE run.ctid = old.place AND run.id = old.id AND old.id <> old.line
     ), kept AS (
       UPDATE run SET folded_runs = lines.runs, folded_since = lines.since
       FROM (SELECT line, sum(runs) AS runs, min(since) AS since FROM old GROUP BY line HAVING count(*) > 1) lines
       WHERE run.id = lines.line
     ), done AS (
       UPDATE gateway_schedule t SET folded_to = f.folded_to, unfolded_runs = t.unfolded_runs - f.rows
       FROM (SELECT gateway_id, max(id) AS folded_to, count(*) FILTER (WHERE is_new) AS rows FROM old GROUP BY gateway_id) f
       -- Said once more, or all gateways are read to find these.
       WHERE t.gateway_id = f.gateway_id AND t.gateway_id = ANY ($1::integer[])
     )
     SELECT count(*) FILTER (WHERE id <> line) AS folded FROM old`,
    [gatewayIds, KEPT_UNCHANGED, MOST_ROWS],
  );
  return rows[0]?.folded ?? 0;
}
