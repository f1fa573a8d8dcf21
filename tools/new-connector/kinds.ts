/** What a CRM can publish: `type` of the connector, but for APIs whose list has summaries alone, or that call. */
export const CONNECTOR_KINDS = ['xml', 'zip', 'api', 'details', 'pushed', 'custom'] as const;
export type ConnectorKind = (typeof CONNECTOR_KINDS)[number];

/** What the document and one record are called: elements in XML; in JSON `root` is the list's member, `record` unused. */
export interface RecordNames {
  root: string;
  record: string;
}

export const USUAL_NAMES: RecordNames = { root: 'listings', record: 'listing' };

/** Whether it is walked page by page. */
export const isWalked = (kind: ConnectorKind): boolean => kind === 'api' || kind === 'details' || kind === 'pushed';

/** How the records are written; they have the same members either way. */
export type RecordKind = 'xml' | 'json';
