// Separate from code that loads Nest, because an operators' command reads pauses without Nest.

/** SQL: the row `p` of the view as a `GatewayPause`. */
export const PAUSE_JSON = `json_build_object('until', p.until, 'reason', p.reason, 'by', p.paused_by, 'since', p.paused_at,
  'crm', p.crm, 'host', p.host)`;

/** SQL: sorts pauses so that the pause that ends last is first. */
export const LAST_TO_END = 'ORDER BY p.until DESC NULLS FIRST, p.pause_id';

/** SQL: a table of gateway_id and pause, a row for each gateway that is paused. */
export const PAUSES = `(SELECT DISTINCT ON (p.gateway_id) p.gateway_id, ${PAUSE_JSON} AS pause
  FROM gateway_pause p ORDER BY p.gateway_id, p.until DESC NULLS FIRST, p.pause_id)`;

/** SQL: joins the pause to each gateway `g` without reading the pauses of other gateways. */
export const PAUSE_OF_EACH = `LEFT JOIN LATERAL (
  SELECT ${PAUSE_JSON} AS pause FROM gateway_pause p WHERE p.gateway_id = g.id ${LAST_TO_END} LIMIT 1) p ON true`;
