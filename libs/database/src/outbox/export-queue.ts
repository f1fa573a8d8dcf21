/**
 * SQL `exports`: one delivery for each placement of gateway `$1` that is switched on, in the transaction that publishes.
 * `current` has a row when the snapshot became the current one.
 */
export const EXPORTS_OF_PUBLISHED = `
  exports AS (
    INSERT INTO outbox (gateway_id, placement_id, kind, type)
    SELECT p.gateway_id, p.id, 'export', 'export' FROM placement p, current WHERE p.gateway_id = $1 AND p.is_on
  )`;

/** SQL: ends the pauses of a placement's waiting exports and adds one. `$1`: the placement, `$2`: the export's data. */
export const EXPORT_NOW = `
  freed AS (
    UPDATE outbox SET next_try_at = '-infinity'
    WHERE placement_id = $1 AND kind = 'export' AND state = 'pending' AND next_try_at > now()
  ), added AS (
    INSERT INTO outbox (gateway_id, placement_id, kind, type, data)
    SELECT gateway_id, id, 'export', 'export', $2::json FROM placement WHERE id = $1 AND is_on RETURNING id
  )`;
