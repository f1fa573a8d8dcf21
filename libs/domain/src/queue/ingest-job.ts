import type { RunTrigger } from '../run/run';

export const INGEST_QUEUE = 'ingest';

/** The content of a job: ids only, never a credential. */
export interface IngestJob {
  gatewayId: number;
  trigger: RunTrigger;
}

/** PostgreSQL channel that announces a requested run; the payload is the gateway's id. */
export const RUN_REQUESTED_CHANNEL = 'passerelle_run_requested';

/** PostgreSQL channel that announces an imminent publication; the payload is the gateway's id. */
export const PUBLICATION_DUE_CHANNEL = 'passerelle_publication_due';

/** PostgreSQL channel: cached facts about a gateway are out of date; the payload is the gateway's id. */
export const GATEWAY_CHANGED_CHANNEL = 'passerelle_gateway_changed';

/** PostgreSQL channel that announces that the database refused a write of an API process; the payload is empty. */
export const WRITES_REFUSED_CHANNEL = 'passerelle_writes_refused';
