/** Privileges of the two roles on one table, as SQL's GRANT names them; '' for none. */
export interface TableGrants {
  ingest: string;
  serve: string;
}

const ALL = 'SELECT, INSERT, UPDATE, DELETE';
const INTERNAL: TableGrants = { ingest: ALL, serve: '' };
const SERVED: TableGrants = { ingest: ALL, serve: 'SELECT' };

/**
 * What the ingesting role (the ingestor and the operators' command line) and the serving role (the API) may do, for every
 * table. A table that is not named here can be used by its owner only; a test asks for a decision.
 */
export const GRANTS: Readonly<Record<string, TableGrants>> = {
  schema_migration: { ingest: 'SELECT', serve: 'SELECT' },
  installation: SERVED,
  connector: SERVED,
  // Not its source, settings and credentials.
  gateway: {
    ingest: ALL,
    serve: 'SELECT (id, crm, client, enabled, contract_end, current_snapshot_id, confirmed_at)',
  },
  // A hash is made anew by rehash_api_key.
  api_key: { ingest: ALL, serve: 'SELECT, UPDATE (last_used_on)' },
  // As of api_key: by rehash_export_token.
  export_token: { ingest: ALL, serve: 'SELECT, UPDATE (last_used_on)' },
  gateway_schedule: SERVED,
  gateway_lease: INTERNAL,
  host_budget: INTERNAL,
  announcer: INTERNAL,
  // Asks for a run, and neither forces one nor decides about it.
  run: {
    ingest: ALL,
    serve: 'SELECT, INSERT (gateway_id, trigger, asked_by, request_id), UPDATE (asked_by, request_id)',
  },
  rejection: SERVED,
  run_warning: INTERNAL,
  snapshot: SERVED,
  snapshot_chunk: SERVED,
  listing_version: SERVED,
  listing_normalized: SERVED,
  listing_raw: SERVED,
  listing_photo: SERVED,
  current_listing: SERVED,
  listing_change: SERVED,
  walk: { ingest: ALL, serve: 'SELECT, INSERT, UPDATE' },
  report: { ingest: ALL, serve: 'SELECT, INSERT' },
};

/** Sequences from which the ingesting role takes numbers by itself; those of columns come with INSERT. */
export const SEQUENCES: readonly string[] = ['listing_version_id_seq'];

/** Functions that run with the rights of the owner, and who may call them. */
export const FUNCTION_GRANTS: Readonly<Record<string, readonly (keyof TableGrants)[]>> = {
  rehash_api_key: ['serve'],
  rehash_export_token: ['serve'],
};
