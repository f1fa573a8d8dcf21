import { WEBHOOK_FAILING_MS, WEBHOOK_TRIES } from '@passerelle/domain';
import { Pool } from 'pg';
import { Injectable } from '@nestjs/common';
import { NOT_AWAITED } from './due-webhooks';

/** An endpoint that this process alone sends to. */
export interface TakenEndpoint {
  endpointId: number;
  fence: number;
}

/** The message that an endpoint gets next. */
export interface DueDelivery {
  id: number;
  /** The same for every try. */
  messageId: string;
  type: string;
  /** ISO 8601 in UTC: when what it tells of happened. */
  at: string;
  data: object;
  url: string;
  /** Sealed. */
  secret: Buffer;
  /** Sealed; null but for the time of a rotation. */
  oldSecret: Buffer | null;
  /** Of the endpoint, in a row. */
  failures: number;
}

/** How one try came out. */
export interface TryOutcome {
  /** Null when there was no answer. */
  status: number | null;
  ms: number;
  /** The beginning of the answer's body. */
  answer: string | null;
  /** One sentence; null of a success. */
  error: string | null;
}

/** What is to be sent to endpoints, and what has become of it. PostgreSQL keeps it, so a queue that is lost loses nothing. */
@Injectable()
export class WebhookDeliveries {
  constructor(private readonly pool: Pool) {}

  /**
   * Makes the caller the only one who sends to the endpoint, for so many seconds, and gives it what waits. Null when somebody
   * is, or must wait.
   */
  async take(
    endpointId: number,
    seconds: number,
  ): Promise<{ endpoint: TakenEndpoint; next: DueDelivery | null } | null> {
    const { rows } = await this.pool.query<{ fence: number } & (DueDelivery | { id: null })>({
      name: 'take-webhook',
      // The message's row is locked: whoever sent to the endpoint until a moment ago may have noted since this statement began
      // that it has arrived.
      text: `
        WITH mine AS (
          UPDATE webhook_endpoint
          SET fence = fence + 1, taken_until = now() + make_interval(secs => $2), announced_until = '-infinity'
          WHERE id = $1 AND taken_until <= now() AND next_try_at <= now()
          RETURNING webhook_endpoint.*
        ), ${waiting()}, chosen AS (
          SELECT w.* FROM waiting w JOIN webhook_delivery d ON d.id = w.id AND d.state = 'pending'
          WHERE NOT w.is_superseded ORDER BY ${IN_ORDER} LIMIT 1 FOR UPDATE OF d
        )
        SELECT mine.fence, ${MESSAGE} FROM mine LEFT JOIN chosen w ON true`,
      values: [endpointId, seconds],
    });
    const [row] = rows;
    if (row === undefined) return null;
    const { fence, ...next } = row;
    return { endpoint: { endpointId, fence }, next: next.id === null ? null : next };
  }

  async release({ endpointId, fence }: TakenEndpoint): Promise<void> {
    await this.pool.query({
      name: 'release-webhook',
      text: `
        WITH ${NOT_AWAITED}
        UPDATE webhook_endpoint SET taken_until = '-infinity' FROM not_awaited WHERE id = $1 AND fence = $2`,
      values: [endpointId, fence],
    });
  }

  /**
   * Notes that a message has arrived: the endpoint is well, also one that was disabled. Gives the next message, and so many
   * seconds for sending it. Null when nothing waits, and then the endpoint is let go; or when it is another process's by now.
   */
  async noteDelivered(
    { endpointId, fence }: TakenEndpoint,
    deliveryId: number,
    outcome: TryOutcome,
    seconds: number,
  ): Promise<DueDelivery | null> {
    const { rows } = await this.pool.query<DueDelivery>({
      name: 'note-delivered',
      text: `
        WITH noted AS (
          UPDATE webhook_delivery SET ${TRY_SQL}, state = $2, ended_at = now() WHERE id = $1 AND state = 'pending'
        ), mine AS (
          UPDATE webhook_endpoint SET failures = 0, failing_since = NULL, next_try_at = '-infinity', disabled_at = NULL,
            disabled_reason = NULL, taken_until = CASE WHEN EXISTS (
              SELECT FROM webhook_delivery d WHERE d.endpoint_id = $7 AND d.state = 'pending' AND d.id <> $1)
              THEN now() + make_interval(secs => $9) ELSE '-infinity' END
          WHERE id = $7 AND fence = $8
          RETURNING webhook_endpoint.*
        ), ${waiting('d.id <> $1')}
        SELECT ${MESSAGE} FROM waiting w, mine WHERE NOT w.is_superseded ORDER BY ${IN_ORDER} LIMIT 1`,
      values: [...tryValues(deliveryId, 'delivered', outcome), endpointId, fence, seconds],
    });
    return rows[0] ?? null;
  }

  /**
   * Notes a failure: the endpoint is let go, and left alone for a while. After three days of them, or when it is gone, it is
   * disabled and what was to be sent to it is given up. A test of one that is disabled changes nothing about it, and does not
   * let it go.
   *
   * @param pauseMs until its next try.
   * @param isOurs when nothing was sent, which is not the site's fault.
   * @returns whether the endpoint is disabled.
   */
  async noteFailed(
    { endpointId, fence }: TakenEndpoint,
    { id, type }: Pick<DueDelivery, 'id' | 'type'>,
    outcome: TryOutcome,
    { pauseMs, isGone, isOurs }: { pauseMs: number; isGone: boolean; isOurs: boolean },
  ): Promise<boolean> {
    const isTest = type === 'webhook.test';
    const { rows } = await this.pool.query<{ isDisabled: boolean }>({
      name: 'note-failed',
      text: `
        WITH mine AS (
          UPDATE webhook_endpoint e SET
            failures = failures + 1, failing_since = CASE WHEN $12::boolean THEN failing_since ELSE coalesce(failing_since, now()) END,
            next_try_at = now() + make_interval(secs => $9::float8 / 1000), taken_until = '-infinity',
            disabled_at = CASE WHEN ${MUST_END} THEN coalesce(disabled_at, now()) ELSE disabled_at END,
            disabled_reason = CASE WHEN $10 THEN 'gone' WHEN ${MUST_END} THEN coalesce(disabled_reason, 'failing') END
          WHERE id = $7 AND fence = $8 AND (NOT $11::boolean OR disabled_at IS NULL)
          RETURNING disabled_at IS NOT NULL AS is_disabled
        ), state AS (
          SELECT coalesce((SELECT is_disabled FROM mine), false) AS is_disabled
        ), noted AS (
          UPDATE webhook_delivery SET ${TRY_SQL},
            state = CASE WHEN is_disabled OR tries + 1 >= $13 THEN 'failed' ELSE $2 END,
            ended_at = CASE WHEN is_disabled OR tries + 1 >= $13 THEN now() END
          FROM state WHERE id = $1 AND state = 'pending'
        ), given_up AS (
          UPDATE webhook_delivery SET state = 'failed', ended_at = now(), error = coalesce(error, 'the endpoint is disabled')
          FROM state WHERE is_disabled AND endpoint_id = $7 AND state = 'pending' AND id <> $1
        )
        SELECT is_disabled AS "isDisabled" FROM state`,
      values: [
        ...tryValues(id, 'pending', outcome),
        ...[endpointId, fence, pauseMs, isGone, isTest, isOurs, isTest ? 1 : WEBHOOK_TRIES],
      ],
    });
    return rows[0]?.isDisabled === true;
  }

  /** Removes events of long ago with what became of them; what still waits stays. */
  async prune({ keepDays }: { keepDays: number }): Promise<void> {
    for (;;) {
      const { rowCount } = await this.pool.query(
        `DELETE FROM webhook_event WHERE id IN (
           SELECT v.id FROM webhook_event v
           WHERE v.at < now() - make_interval(days => $1)
             AND NOT EXISTS (SELECT FROM webhook_delivery d WHERE d.event_id = v.id AND d.state = 'pending')
           ORDER BY v.at LIMIT ${PRUNED_AT_ONCE})`,
        [keepDays],
      );
      if ((rowCount ?? 0) < PRUNED_AT_ONCE) return;
    }
  }
}

const PRUNED_AT_ONCE = 10_000;

/** $10 says that the endpoint is gone, $12 that the fault is ours. One that was disabled before was sent to by hand. */
const MUST_END = `($10::boolean OR disabled_at IS NOT NULL
  OR (NOT $12::boolean AND coalesce(failing_since, now()) <= now() - make_interval(secs => ${WEBHOOK_FAILING_MS / 1000})))`;

/** The site has understood this message and does not want it: the others do not wait for it. */
const IS_REFUSED = `(d.tries >= 3 AND d.status BETWEEN 400 AND 499 AND d.status NOT IN (408, 410, 429)) IS TRUE`;

/**
 * Common table expressions: what waits for the endpoint of `mine`, where that has a row. A publication that a newer one follows
 * is put aside.
 *
 * @param which of what waits.
 */
function waiting(which = 'true'): string {
  return `
    waiting AS MATERIALIZED (
      SELECT d.id, d.event_id, v.message_id, v.type, v.at, v.data, ${IS_REFUSED} AS is_refused, v.type = 'list.published'
        AND v.id < max(v.id) FILTER (WHERE v.type = 'list.published') OVER () AS is_superseded
      FROM webhook_delivery d JOIN webhook_event v ON v.id = d.event_id
      WHERE d.endpoint_id = (SELECT id FROM mine) AND d.state = 'pending' AND ${which}
    ), superseded AS (
      UPDATE webhook_delivery d SET state = 'superseded', ended_at = now()
      FROM waiting w WHERE d.id = w.id AND w.is_superseded AND d.state = 'pending'
    )`;
}

/** The oldest message first; but a test before all, and one that the site has refused three times after all. */
const IN_ORDER = `w.type = 'webhook.test' DESC, w.is_refused, w.id`;

/** The message `w` for the endpoint `mine`. */
const MESSAGE = `w.id, w.message_id AS "messageId", w.type, to_json(w.at AT TIME ZONE 'UTC') #>> '{}' || 'Z' AS at, w.data, mine.url,
  mine.secret, CASE WHEN mine.old_secret_until > now() THEN mine.old_secret END AS "oldSecret", mine.failures`;

const TRY_SQL = 'tries = tries + 1, tried_at = now(), status = $3, ms = $4, answer = $5, error = $6';

function tryValues(id: number, state: string, { status, ms, answer, error }: TryOutcome): unknown[] {
  return [id, state, status, Math.round(ms), answer, error];
}
