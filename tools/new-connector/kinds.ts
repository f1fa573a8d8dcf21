/** What a CRM can publish, as `type` of the connector. */
export const CONNECTOR_KINDS = ['xml', 'zip', 'api', 'custom'] as const;
export type ConnectorKind = (typeof CONNECTOR_KINDS)[number];

/** How the records are written; they have the same members either way. */
export type RecordKind = 'xml' | 'json';
