/** The connector's `type`, except for APIs that list only summaries (`details`) or send webhooks (`pushed`). */
export const CONNECTOR_KINDS = ['xml', 'zip', 'api', 'details', 'pushed', 'custom'] as const;
export type ConnectorKind = (typeof CONNECTOR_KINDS)[number];

/** Elements in XML. In JSON `root` is the member with the list, and `record` is unused. */
export interface RecordNames {
  root: string;
  record: string;
}

export const USUAL_NAMES: RecordNames = { root: 'listings', record: 'listing' };

export const isWalked = (kind: ConnectorKind): boolean => kind === 'api' || kind === 'details' || kind === 'pushed';

/** The format of the records; both formats have the same members. */
export type RecordKind = 'xml' | 'json';
