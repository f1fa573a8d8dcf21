import type { RunTrigger } from '../run/run';

/** The queue that carries runs from those who ask for one to an ingestor. */
export const INGEST_QUEUE = 'ingest';

/** What travels in the queue: ids only, never a credential. */
export interface IngestJob {
  gatewayId: number;
  trigger: RunTrigger;
}

/** PostgreSQL channel that says "a run was asked for"; the payload is the gateway's id. */
export const RUN_REQUESTED_CHANNEL = 'passerelle_run_requested';

/** PostgreSQL channel that says "a snapshot is about to be published"; the payload is the gateway's id. */
export const PUBLICATION_DUE_CHANNEL = 'passerelle_publication_due';

/** PostgreSQL channel that says "what the API knows of this gateway is out of date"; the payload is the gateway's id. */
export const GATEWAY_CHANGED_CHANNEL = 'passerelle_gateway_changed';

/** PostgreSQL channel that says "the database refused a write of an API"; the payload is empty. */
export const WRITES_REFUSED_CHANNEL = 'passerelle_writes_refused';
