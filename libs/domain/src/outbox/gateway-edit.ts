/** The PostgreSQL channel that announces edits of gateways to ingestors. */
export const EDIT_CHANNEL = 'passerelle_edit';

/** `change` stores the new values; `test` only reads the source with them. */
export type GatewayEditType = 'change' | 'test';

/** New values of a gateway from a form. An absent member changes nothing. Sealed on its way, because it has secrets. */
export interface GatewayEdit {
  source?: string;
  settings?: Record<string, string>;
  unsetSettings?: string[];
  /** Replace all stored credentials; null removes them. */
  credentials?: Record<string, string> | null;
  /** Null for the ingestor's default. */
  everySeconds?: number | null;
  /** `YYYY-MM-DD`; null for none. */
  contractEnd?: string | null;
}

/** The public part of an edit. */
export interface GatewayEditData {
  who: string;
  through: 'console' | 'ops' | 'http';
  reason?: string;
  /** The entry of the act on many gateways that this edit belongs to. */
  partOf?: number;
}
