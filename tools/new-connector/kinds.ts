/** The kinds of sources: `type` of the connector, except for APIs whose list has only summaries, or that call. */
export const CONNECTOR_KINDS = ['xml', 'zip', 'api', 'details', 'pushed', 'custom'] as const;
export type ConnectorKind = (typeof CONNECTOR_KINDS)[number];

/** The names of the document and a record: elements in XML; in JSON `root` is the list's member, and `record` is unused. */
export interface RecordNames {
  root: string;
  record: string;
}

export const USUAL_NAMES: RecordNames = { root: 'listings', record: 'listing' };

/** Whether it is read page by page. */
export const isWalked = (kind: ConnectorKind): boolean => kind === 'api' || kind === 'details' || kind === 'pushed';

/** The format of the records; they have the same members in both. */
export type RecordKind = 'xml' | 'json';
