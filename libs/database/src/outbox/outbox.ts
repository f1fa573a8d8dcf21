import type { DeliveryKind, SecretBox } from '@passerelle/domain';
import { Pool } from 'pg';
import { type Resealed, resealRows } from '../reseal';

/** The scope in which deliveries are sent in order and one at a time: an endpoint, a gateway, a channel, a placement, or a single delivery (no order). */
export type OrderKey = 'endpoint' | 'gateway' | 'channel' | 'placement' | 'delivery';

export interface ClaimTerms {
  kind: DeliveryKind;
  orderKey: OrderKey;
  /** The maximum number of deliveries that have not been tried yet. */
  limit: number;
  /** The maximum number of deliveries that have failed before; new deliveries do not wait for them. */
  retriedLimit: number;
  /** The time for which this process is the only sender of a delivery. */
  seconds: number;
  /** Types that are sent before all other deliveries of their order key, even while the key pauses. */
  urgent?: readonly string[];
  /** For each of these types, only the newest waiting delivery is sent. */
  latestOnly?: readonly string[];
  /** True when deliveries of disabled gateways wait. */
  needsEnabledGateway?: boolean;
}

/** A delivery that only this process sends for a limited time. */
export interface ClaimedDelivery {
  id: number;
  fence: number;
  /** 0 for a notification, which is about several gateways; it has no values of a gateway. */
  gatewayId: number;
  endpointId: number | null;
  channelId: number | null;
  placementId: number | null;
  type: string;
  /** The same id in every attempt. */
  messageId: string;
  /** ISO 8601 in UTC: the time of the event that caused the delivery. */
  at: string;
  affId: string | null;
  data: object | null;
  sealed: Buffer | null;
  /** Earlier attempts. */
  tries: number;
  crm: string;
  client: string;
  sourceUrl: string;
  sourceSettings: Record<string, string>;
  sealedSource: Buffer | null;
  credentials: Buffer | null;
}

export interface TryResult {
  /** Null when there was no response. */
  status?: number | null;
  ms?: number;
  /** The beginning of the response body. */
  answer?: string | null;
  way?: 'email' | 'api';
}

type Claimed = Pick<ClaimedDelivery, 'id' | 'fence'>;

const PRUNED_AT_ONCE = 10_000;

const COLUMNS: Readonly<Record<OrderKey, string>> = {
  endpoint: 'endpoint_id',
  gateway: 'gateway_id',
  channel: 'channel_id',
  placement: 'placement_id',
  delivery: 'id',
};

/** SQL: whether the receiver rejects this delivery on purpose; other deliveries of its key then do not wait. */
const isRefused = (row: string): string =>
  `(${row}.tries >= 3 AND ${row}.status BETWEEN 400 AND 499 AND ${row}.status NOT IN (408, 410, 429)) IS TRUE`;

/** Every delivery to outside systems, with its log. */
export class Outbox {
  constructor(private readonly pool: Pool) {}

  /** Claims due deliveries: at most one per order key, none for a key that pauses or has a delivery in progress. */
  async claim(terms: ClaimTerms): Promise<ClaimedDelivery[]> {
    const { kind, limit, retriedLimit, seconds, urgent = [], latestOnly = [] } = terms;
    const { rows } = await this.pool.query<ClaimedDelivery>({
      name: `take-${kind}`,
      text: claimSql(COLUMNS[terms.orderKey], terms.needsEnabledGateway === true),
      values: [kind, limit, retriedLimit, seconds, urgent, latestOnly],
    });
    return rows;
  }

  /** Succeeds even after another process's claim. An edit loses its values, which may be secret. @returns whether more deliveries wait for the order key */
  async noteDelivered(taken: Claimed, orderKey: OrderKey, result: TryResult = {}): Promise<boolean> {
    const column = COLUMNS[orderKey];
    const { rows } = await this.pool.query<{ isMore: boolean }>({
      name: `note-delivered-${orderKey}`,
      text: `
        WITH noted AS (
          UPDATE outbox SET ${TRY_SQL}, error = NULL, state = 'delivered', ended_at = now(), way = $6,
            sealed = CASE kind WHEN 'edit' THEN NULL ELSE sealed END
          WHERE id = $1 AND state = 'pending' RETURNING kind, ${column} AS key, fence
        ), other AS MATERIALIZED (
          SELECT o.id, o.next_try_at, noted.fence FROM outbox o JOIN noted ON o.kind = noted.kind AND o.${column} = noted.key
          WHERE o.state = 'pending' AND o.id <> $1
        ), freed AS (
          UPDATE outbox o SET next_try_at = '-infinity' FROM other WHERE o.id = other.id AND other.next_try_at > now() AND other.fence = $2
        )
        SELECT EXISTS (SELECT FROM other) AS "isMore"`,
      values: [taken.id, taken.fence, ...tryValues(result), result.way ?? null],
    });
    return rows[0]?.isMore === true;
  }

  /** Records an attempt that succeeded in part: the delivery is due again, with no failed attempts. */
  async noteProgress({ id, fence }: Claimed): Promise<void> {
    await this.pool.query(
      `UPDATE outbox SET tries = 0, error = NULL, next_try_at = '-infinity', taken_until = '-infinity' WHERE id = $1 AND fence = $2`,
      [id, fence],
    );
  }

  /** Pauses the order key. @param error one sentence without private data @param isFinal true ends the delivery */
  async noteFailed(
    { id, fence }: Claimed,
    { error, pauseMs, isFinal, ...result }: TryResult & { error: string; pauseMs: number; isFinal: boolean },
  ): Promise<void> {
    await this.pool.query({
      name: 'note-failed',
      text: `
        UPDATE outbox SET ${TRY_SQL}, error = $6,
          next_try_at = now() + make_interval(secs => $7::float8 / 1000),
          state = CASE WHEN $8::boolean THEN 'failed' ELSE 'pending' END, ended_at = CASE WHEN $8 THEN now() END,
          sealed = CASE WHEN $8 AND kind = 'edit' THEN NULL ELSE sealed END
        WHERE id = $1 AND fence = $2 AND state = 'pending'`,
      values: [id, fence, ...tryValues(result), error, pauseMs, isFinal],
    });
  }

  /** Releases a claimed delivery without an attempt. */
  async release({ id, fence }: Claimed): Promise<void> {
    await this.pool.query(`UPDATE outbox SET taken_until = '-infinity' WHERE id = $1 AND fence = $2`, [id, fence]);
  }

  /** Moves deliveries from the previous release's tables, and prevents the previous release from moving them back. */
  async takeOver(): Promise<void> {
    await this.pool.query('SELECT outbox_take_over()');
  }

  async reseal(box: SecretBox): Promise<Resealed> {
    await this.takeOver();
    return resealRows(this.pool, box, 'outbox', ['sealed']);
  }

  async prune(kind: DeliveryKind, keepDays: number): Promise<void> {
    for (;;) {
      const { rowCount } = await this.pool.query(
        `DELETE FROM outbox WHERE id IN (
           SELECT id FROM outbox WHERE kind = $1 AND state <> 'pending' AND ended_at < now() - make_interval(days => $2)
           ORDER BY ended_at LIMIT ${PRUNED_AT_ONCE})`,
        [kind, keepDays],
      );
      if ((rowCount ?? 0) < PRUNED_AT_ONCE) return;
    }
  }
}

const TRY_SQL = `tries = tries + 1, tried_at = now(), taken_until = '-infinity', status = $3, ms = $4, answer = $5`;

function tryValues({ status = null, ms, answer = null }: TryResult): unknown[] {
  return [status, ms === undefined ? null : Math.round(ms), answer];
}

/** Locks all rows of a key, so that only one process sends for the key. Rows that must wait get their next time. */
function claimSql(column: string, needsEnabled: boolean): string {
  const isDue = `d.kind = $1 AND d.state = 'pending' AND d.next_try_at <= now() AND d.taken_until <= now()${
    needsEnabled ? ' AND EXISTS (SELECT FROM gateway g WHERE g.id = d.gateway_id AND g.enabled)' : ''
  }`;
  const due = (which: string, limit: string): string =>
    `(SELECT d.${column} AS key FROM outbox d WHERE ${isDue} AND ${which} ORDER BY d.next_try_at, d.id LIMIT ${limit})`;
  return `
    WITH due AS MATERIALIZED (
      SELECT DISTINCT key FROM (${due('d.tries = 0', '$2')} UNION ALL ${due('d.tries > 0', '$3')}) d
    ), busy AS MATERIALIZED (
      SELECT due.key, count(*) AS waiting, max(o.taken_until) AS taken_until,
        max(CASE WHEN ${isRefused('o')} THEN '-infinity' ELSE o.next_try_at END) AS paused_until
      FROM due JOIN outbox o ON o.${column} = due.key AND o.kind = $1 AND o.state = 'pending' GROUP BY due.key
    ), mine AS MATERIALIZED (
      SELECT o.id, o.${column} AS key, o.type, o.at, o.next_try_at, ${isRefused('o')} AS is_refused
      FROM due JOIN outbox o ON o.${column} = due.key
      WHERE o.kind = $1 AND o.state = 'pending' AND o.taken_until <= now() FOR UPDATE OF o SKIP LOCKED
    ), seen AS MATERIALIZED (
      SELECT m.*, b.taken_until, b.paused_until, count(*) OVER (PARTITION BY m.key) = b.waiting AS is_whole,
        m.type = ANY ($6::text[]) AND row_number() OVER (PARTITION BY m.key, m.type ORDER BY m.at DESC, m.id DESC) > 1 AS is_superseded,
        m.type = ANY ($5::text[]) AS is_urgent
      FROM mine m JOIN busy b USING (key)
    ), chosen AS MATERIALIZED (
      SELECT DISTINCT ON (key) id, key FROM seen
      WHERE is_whole AND NOT is_superseded AND next_try_at <= now() AND (is_urgent OR paused_until <= now())
      ORDER BY key, is_urgent DESC, is_refused, at, id
    ), superseded AS (
      UPDATE outbox o SET state = 'superseded', ended_at = now() FROM seen JOIN chosen USING (key)
      WHERE o.id = seen.id AND seen.is_superseded
    ), parked AS (
      UPDATE outbox o SET next_try_at = greatest(seen.taken_until, seen.paused_until) FROM seen
      WHERE o.id = seen.id AND seen.next_try_at <= now() AND greatest(seen.taken_until, seen.paused_until) > now()
        AND seen.key NOT IN (SELECT key FROM chosen)
    ), taken AS (
      UPDATE outbox o SET fence = fence + 1, taken_until = now() + make_interval(secs => $4) FROM chosen WHERE o.id = chosen.id
      RETURNING o.*
    )
    SELECT t.id, t.fence, coalesce(t.gateway_id, 0) AS "gatewayId", t.endpoint_id AS "endpointId", t.channel_id AS "channelId",
      t.placement_id AS "placementId", t.type, t.message_id AS "messageId",
      to_json(t.at AT TIME ZONE 'UTC') #>> '{}' || 'Z' AS at, t.aff_id AS "affId", t.data, t.sealed, t.tries, coalesce(g.crm, '') AS crm, coalesce(g.client, '') AS client,
      g.source_url AS "sourceUrl", g.settings AS "sourceSettings", g.sealed_source AS "sealedSource", g.credentials
    FROM taken t LEFT JOIN gateway g ON g.id = t.gateway_id ORDER BY t.id`;
}
