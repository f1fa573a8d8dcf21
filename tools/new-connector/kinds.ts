/** What a CRM can publish, as `type` of the connector. */
export const CONNECTOR_KINDS = ['xml', 'zip', 'api', 'custom'] as const;
export type ConnectorKind = (typeof CONNECTOR_KINDS)[number];

/** What the document and one record are called: elements in XML; in JSON `root` is the list's member, `record` unused. */
export interface RecordNames {
  root: string;
  record: string;
}

export const USUAL_NAMES: RecordNames = { root: 'listings', record: 'listing' };

/** How the records are written; they have the same members either way. */
export type RecordKind = 'xml' | 'json';
