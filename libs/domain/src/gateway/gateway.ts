export const SLUG_PATTERN = /^[a-zA-Z0-9_-]+$/;
/** The maximum length of a connector code and of a client name. The API contract itself sets no limit. */
export const MAX_SLUG_LENGTH = 64;

export function isGatewayName(crm: string, client: string): boolean {
  return crm.length <= MAX_SLUG_LENGTH && client.length <= MAX_SLUG_LENGTH;
}

export const CONNECTOR_TYPES = ['api', 'zip', 'xml', 'custom', 'unknown'] as const;
export type ConnectorType = (typeof CONNECTOR_TYPES)[number];

export interface ConnectorRecord {
  id: string;
  label: string;
  type: ConnectorType;
  notes: string;
}

export function unregisteredConnector(code: string): ConnectorRecord {
  return { id: code, label: code, type: 'unknown', notes: '' };
}

// Created at the first use, because the creation takes about 10 ms and most operator commands do not need it.
let parisDate: Intl.DateTimeFormat | undefined;

/** A contract ends with the day `contractEnd` (`YYYY-MM-DD`) in Europe/Paris. */
export function isGatewayActive(gateway: GatewayTerms, now: Date): boolean {
  return inactiveReason(gateway, now) === null;
}

/** Why a gateway neither runs nor is served, as a clause such as "it is disabled"; null for an active gateway. */
export function inactiveReason({ enabled, contractEnd }: GatewayTerms, now: Date): string | null {
  if (!enabled) return 'it is disabled';
  if (contractEnd === null) return null;
  parisDate ??= new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Paris' });
  return parisDate.format(now) > contractEnd ? `its contract ended on ${contractEnd}` : null;
}

interface GatewayTerms {
  enabled: boolean;
  contractEnd: string | null;
}
