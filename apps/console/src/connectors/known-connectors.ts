import type { Connector } from '@passerelle/connectors';
import type { ConnectorRecord } from '@passerelle/domain';
import type { ConnectorOutcomes, ListedPause } from '@passerelle/database';
import type { ConnectorCounts } from '../board/all-gateways';

export type Declaration = Connector;

export interface ConnectorLine extends ConnectorRecord, ConnectorCounts {
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
  byConnector: ReadonlyMap<string, ConnectorCounts>;
  outcomes: readonly ConnectorOutcomes[];
  pauses: readonly ListedPause[];
}): ConnectorLine[] {
  const known = new Map(facts.registered.map((record) => [record.id, record]));
  const codes = [...new Set([...known.keys(), ...facts.byConnector.keys()])].sort();
  return codes.map((id) => {
    const { runs = 0, failed = 0 } = facts.outcomes.find(({ crm }) => crm === id) ?? {};
    return {
      ...(known.get(id) ?? { id, label: id, type: 'unknown', notes: '' }),
      ...(facts.byConnector.get(id) ?? { gateways: 0, counts: [] }),
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
