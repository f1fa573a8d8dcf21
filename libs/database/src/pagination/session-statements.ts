import { type PublishedSnapshot, snapshotJson } from '../gateway/served-gateways';

/** SQL: the lifetime counts from the first page, or from the new page 1 when a finished session began again. */
export function isInTime(now: string, walkSeconds: string): string {
  return `CASE WHEN w.first_at <= w.finished_at AND w.finished_at < w.last_first_at THEN w.last_first_at ELSE w.first_at END
    > ${now} - make_interval(secs => ${walkSeconds})`;
}

/** SQL: whether the page belongs to the session `w`. */
const isOn = (now: string): string => `(${isInTime(now, '$6')}
  AND (NOT $4 OR coalesce(w.last_first_at > w.finished_at, true)))`;

const isLastOf = (snapshot: string): string =>
  `(SELECT s.total <= $5 FROM snapshot s WHERE s.gateway_id = $1 AND s.id = ${snapshot})`;

/** SQL: whether the session `w` is in progress: its last page has not been sent since its page 1. */
function isUnderWay(): string {
  return 'coalesce(w.finished_at < w.last_first_at, true)';
}

export interface SteppedRow {
  /** Null when the statement cannot see the snapshot yet. */
  snapshot: PublishedSnapshot | null;
  /** Whether the session of the page has a row. */
  isRecorded: boolean;
  isUnderWay: boolean;
}

// Use one time for the whole step, because a list of one page begins and ends at the same moment.
export const STEP = `
  WITH asked AS (
    SELECT clock_timestamp() AS at
  ), known AS (
    SELECT w.snapshot_id, ${isUnderWay()} AS is_under_way
    FROM walk w, asked WHERE w.gateway_id = $1 AND w.reader = $2 AND ${isOn('asked.at')}
  ), stepped AS (
    INSERT INTO walk AS w (gateway_id, reader, snapshot_id, first_at, last_first_at, finished_at)
    SELECT $1, $2, $3, at, at, CASE WHEN ${isLastOf('$3')} THEN at END FROM asked
    WHERE $4 OR CASE WHEN EXISTS (SELECT 1 FROM known)
                     THEN EXISTS (SELECT 1 FROM known WHERE ${isLastOf('snapshot_id')}) ELSE $7 END
    ON CONFLICT (gateway_id, reader) DO UPDATE
    SET (snapshot_id, first_at, last_first_at, finished_at) = (
      SELECT CASE WHEN is_on THEN w.snapshot_id ELSE excluded.snapshot_id END,
             CASE WHEN is_on THEN w.first_at ELSE excluded.first_at END,
             CASE WHEN is_on AND NOT $4 THEN w.last_first_at ELSE excluded.first_at END,
             CASE WHEN NOT is_on THEN excluded.finished_at
                  WHEN ${isLastOf('w.snapshot_id')} THEN excluded.first_at
                  ELSE w.finished_at END
      FROM (SELECT ${isOn('excluded.first_at')} AS is_on) _
    )
    RETURNING w.snapshot_id
  ), recorded AS (
    SELECT coalesce((SELECT snapshot_id FROM stepped), (SELECT snapshot_id FROM known)) AS id
  )
  SELECT (SELECT ${snapshotJson('s')} FROM snapshot s WHERE s.gateway_id = $1 AND s.id = recorded.id) AS snapshot,
         recorded.id IS NOT NULL AS "isRecorded",
         coalesce((SELECT is_under_way FROM known), false) AS "isUnderWay"
  FROM recorded`;

export interface ProvenRow {
  current: PublishedSnapshot;
  /** The snapshot of the reader's row, within the session's lifetime; else null. */
  recorded: PublishedSnapshot | null;
  isUnderWay: boolean;
  /** Whether only one list was current within the lifetime of a session. */
  isOnlyList: boolean;
}

export const PROVEN = `
  SELECT ${snapshotJson('c')} AS current,
         CASE WHEN s.id IS NOT NULL THEN ${snapshotJson('s')} END AS recorded,
         coalesce(${isUnderWay()}, false) AS "isUnderWay",
         c.published_at <= clock_timestamp() - make_interval(secs => $3) OR NOT EXISTS (
           SELECT 1 FROM snapshot r WHERE r.gateway_id = $1 AND r.published_at IS NOT NULL AND r.id <> c.id
         ) AS "isOnlyList"
  FROM gateway g
  JOIN snapshot c ON c.gateway_id = $1 AND c.id = g.current_snapshot_id
  LEFT JOIN walk w ON w.gateway_id = $1 AND w.reader = $2 AND ${isInTime('clock_timestamp()', '$3')}
  LEFT JOIN snapshot s ON s.gateway_id = $1 AND s.id = w.snapshot_id
  WHERE g.id = $1`;

/** SQL: when the ages were measured. The time of a late statement would make other processes' pages look too early. */
export const NOW = 'coalesce(to_timestamp($7::float8 / 1000), clock_timestamp())';

export function ago(milliseconds: string, now = 'clock_timestamp()'): string {
  return `${now} - make_interval(secs => ${milliseconds} / 1000)`;
}
