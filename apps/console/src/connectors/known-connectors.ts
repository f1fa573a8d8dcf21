import type { Connector } from '@passerelle/connectors';
import type { ConnectorRecord } from '@passerelle/domain';
import type { ConnectorOutcomes, ListedPause } from '@passerelle/database';
import { countByState, type GatewayRow, type StateCount } from '@passerelle/operations';

export type Declaration = Connector;

export interface ConnectorLine extends ConnectorRecord {
  /** Without empty states. */
  counts: StateCount[];
  gateways: number;
  /** The share of failed runs over the last day; null when no run ended. */
  failedShare: number | null;
  runs: number;
  pause: ListedPause | null;
  /** Null for a connector that this release does not know. */
  declaration: Declaration | null;
}

/** One line for each connector that an ingestor has or a gateway uses, sorted by code. */
export function connectorLines(facts: {
  registered: readonly ConnectorRecord[];
  declared: readonly Declaration[];
  rows: readonly GatewayRow[];
  outcomes: readonly ConnectorOutcomes[];
  pauses: readonly ListedPause[];
}): ConnectorLine[] {
  const rowsOf = new Map<string, GatewayRow[]>();
  for (const row of facts.rows) {
    const rows = rowsOf.get(row.crm);
    if (rows === undefined) rowsOf.set(row.crm, [row]);
    else rows.push(row);
  }
  const known = new Map(facts.registered.map((record) => [record.id, record]));
  const codes = [...new Set([...known.keys(), ...rowsOf.keys()])].sort();
  return codes.map((id) => {
    const rows = rowsOf.get(id) ?? [];
    const { runs = 0, failed = 0 } = facts.outcomes.find(({ crm }) => crm === id) ?? {};
    return {
      ...(known.get(id) ?? { id, label: id, type: 'unknown', notes: '' }),
      counts: countByState(rows).filter(({ count }) => count > 0),
      gateways: rows.length,
      failedShare: runs === 0 ? null : failed / runs,
      runs,
      pause: facts.pauses.find(isOfConnector(id)) ?? null,
      declaration: facts.declared.find(({ code }) => code === id) ?? null,
    };
  });
}

function isOfConnector(id: string): (pause: ListedPause) => boolean {
  return ({ crm, host, isOfOneGateway }) => crm === id && host === null && !isOfOneGateway;
}
