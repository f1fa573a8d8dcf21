/** During a pause, the source is not read, and the gateway's list is still served. Times are ISO 8601 in UTC. */
export interface GatewayPause {
  /** Null: until an operator ends the pause. */
  until: string | null;
  /** In the operator's own words; shown to sites. */
  reason: string | null;
  /** The operator. */
  by: string;
  since: string;
  /** The scope of the pause: the connector, the host of the source, or both; only the gateway when both are null. */
  crm: string | null;
  host: string | null;
}

/** Why a gateway is paused, as a clause such as "it is paused"; null for a gateway that is not paused. */
export function pausedReason(pause: GatewayPause | null): string | null {
  if (pause === null) return null;
  const { until, reason } = pause;
  const end = until === null ? '' : ` until ${until.slice(0, 16).replace('T', ' ')} UTC`;
  return `${pausedScope(pause)} is paused${end}${reason === null ? '' : `: ${reason}`}`;
}

function pausedScope({ crm, host }: GatewayPause): string {
  if (host !== null) return `the host ${host} of its source`;
  return crm === null ? 'it' : `its connector ${crm}`;
}

/** The host of a source in the form that pauses use: without a port, in lower case. Null for an invalid host. */
export function toPausedHost(text: string): string | null {
  const host = text.trim().toLowerCase();
  return /^(?:[a-z0-9_](?:[a-z0-9._-]{0,251}[a-z0-9_])?|\[[0-9a-f:.]{2,45}\])$/.test(host) ? host : null;
}
