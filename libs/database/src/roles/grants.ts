/** Privileges of the three roles on one table, as SQL's GRANT names them; '' for none. */
export interface TableGrants {
  ingest: string;
  serve: string;
  operate: string;
}

const ALL = 'SELECT, INSERT, UPDATE, DELETE';
const INTERNAL: TableGrants = { ingest: ALL, serve: '', operate: '' };
const SERVED: TableGrants = { ingest: ALL, serve: 'SELECT', operate: 'SELECT' };

/** `ingest`: ingestor and command line; `serve`: API; `operate`: console. A test fails for a table that is missing. */
export const GRANTS: Readonly<Record<string, TableGrants>> = {
  schema_migration: { ingest: 'SELECT', serve: 'SELECT', operate: 'SELECT' },
  // Contains the pepper of API keys. The console does not need it, because it hashes new keys with SECRETS_KEY.
  installation: { ingest: ALL, serve: 'SELECT', operate: '' },
  connector: SERVED,
  // The console reads only what shown_sources() and shown_feed_memory() return, and updates what publishing changes.
  gateway: {
    ingest: ALL,
    serve: 'SELECT (id, crm, client, enabled, contract_end, current_snapshot_id, confirmed_at)',
    operate:
      'SELECT (id, crm, client, enabled, contract_end, every_seconds, current_snapshot_id, confirmed_at), ' +
      'UPDATE (enabled, current_snapshot_id, confirmed_at, feed_memory)',
  },
  // Only the ingestor writes hashes. When a key needs a newer hash, the API stores the key in presented_key.
  api_key: {
    ingest: ALL,
    serve: 'SELECT, UPDATE (last_used_on)',
    operate: 'SELECT (id, gateway_id, prefix, scope, networks, created_at, expires_at, last_used_on)',
  },
  // The same as api_key.
  export_token: {
    ingest: ALL,
    serve: 'SELECT, UPDATE (last_used_on)',
    operate: 'SELECT (id, gateway_id, prefix, created_at, last_used_on)',
  },
  // Only the API may insert here, and it cannot read the rows: this right identifies its role.
  presented_key: { ingest: 'SELECT, DELETE', serve: 'INSERT', operate: '' },
  gateway_schedule: { ingest: ALL, serve: 'SELECT', operate: 'SELECT, UPDATE (next_run_at, told_state)' },
  pause: { ingest: ALL, serve: '', operate: ALL },
  // A view of the paused gateways and the ends of their pauses.
  gateway_pause: { ingest: 'SELECT', serve: 'SELECT (gateway_id, until, reason, paused_at)', operate: 'SELECT' },
  // The console takes the lease of a gateway whose held run it publishes.
  gateway_lease: { ingest: ALL, serve: '', operate: 'SELECT, INSERT, UPDATE' },
  // A trial of a feed in the console sends requests to the source as runs do.
  host_budget: { ingest: ALL, serve: '', operate: 'SELECT, INSERT, UPDATE' },
  request_place: { ingest: ALL, serve: '', operate: ALL },
  source_answer: INTERNAL,
  source_credential: INTERNAL,
  source_detail: INTERNAL,
  // The console sees how much feedback waits for a source, and why, but not its content.
  source_feedback: { ingest: ALL, serve: '', operate: 'SELECT (gateway_id, told)' },
  source_feedback_due: { ingest: ALL, serve: '', operate: 'SELECT' },
  // The console checks whether there is an announcer.
  announcer: { ingest: ALL, serve: '', operate: 'SELECT' },
  // The serving role may request a run, but neither force one nor decide about it.
  run: {
    ingest: ALL,
    serve: 'SELECT, INSERT (gateway_id, trigger, asked_by, request_id, announced_until), UPDATE (asked_by, request_id)',
    operate: 'SELECT, INSERT, UPDATE',
  },
  rejection: SERVED,
  run_warning: { ingest: ALL, serve: '', operate: 'SELECT' },
  run_log: { ingest: ALL, serve: '', operate: 'SELECT' },
  snapshot: {
    ingest: ALL,
    serve: 'SELECT',
    operate: 'SELECT, UPDATE (confirmed_at, published_at, approved, content_sum, returns)',
  },
  snapshot_chunk: SERVED,
  listing_version: SERVED,
  listing_normalized: SERVED,
  listing_raw: SERVED,
  listing_search: SERVED,
  listing_photo: SERVED,
  current_listing: { ingest: ALL, serve: 'SELECT', operate: ALL },
  // Publishing a held run records which listings are kept.
  kept_listing: { ingest: ALL, serve: 'SELECT', operate: ALL },
  // The ingestor sets the guard under the lease, and an operator ends it.
  revert_guard: { ingest: ALL, serve: '', operate: 'SELECT, DELETE' },
  listing_change: { ingest: ALL, serve: 'SELECT', operate: 'SELECT, UPDATE (at, replaces)' },
  former_listing: { ingest: ALL, serve: 'SELECT', operate: ALL },
  walk: { ingest: ALL, serve: 'SELECT, INSERT, UPDATE', operate: '' },
  report: { ingest: ALL, serve: 'SELECT, INSERT', operate: 'SELECT' },
  // The contents of the bucket with the lists; the API reads the lists there.
  bucket_gateway: INTERNAL,
  bucket_report: INTERNAL,
  // An audit record never changes. Only the ingestor removes it, after two years.
  audit: { ingest: ALL, serve: '', operate: 'SELECT, INSERT' },
  // The documentation runs the commands about operators with the console's role.
  operator: { ingest: ALL, serve: '', operate: 'SELECT, INSERT, UPDATE' },
  // A link opens the console, so the ingestor and the API may neither create nor read one. Using a link deletes it.
  sign_in_link: { ingest: '', serve: '', operate: 'SELECT, INSERT, DELETE' },
  operator_network: { ingest: '', serve: '', operate: ALL },
  saved_view: { ingest: '', serve: '', operate: ALL },
  // The ingestor sends no reminder about a snoozed gateway.
  follow_up: { ingest: 'SELECT', serve: '', operate: ALL },
  installation_day: { ingest: ALL, serve: '', operate: 'SELECT' },
  // The API and the console write new secrets, but cannot read any: they remove and rotate endpoints through functions.
  webhook_endpoint: {
    ingest: ALL,
    serve:
      'SELECT (id, gateway_id, slot, url, events, created_at, disabled_at, disabled_reason, failing_since), INSERT (gateway_id, slot, url, events, secret)',
    operate:
      'SELECT (id, gateway_id, slot, url, events, created_at, disabled_at, disabled_reason, failing_since), INSERT (gateway_id, slot, url, events, secret), UPDATE (next_try_at)',
  },
  // The API needs an address's secret to verify webhooks to this address; the secret permits nothing else.
  call_address: {
    ingest: ALL,
    serve: 'SELECT (gateway_id, hash, secret, expires_at)',
    operate:
      'SELECT (id, gateway_id, prefix, created_at, expires_at), INSERT (gateway_id, hash, prefix, secret), UPDATE (expires_at), DELETE',
  },
  call_note: { ingest: ALL, serve: 'SELECT, INSERT, UPDATE (last_at, calls)', operate: 'SELECT' },
  called_listing: INTERNAL,
  // The API may only add a lead, through add_lead(). Publishing a held run adds messages to its sites.
  outbox: {
    ingest: ALL,
    serve: '',
    operate:
      'SELECT (id, gateway_id, endpoint_id, channel_id, placement_id, kind, type, message_id, at, created_at, aff_id, data, state, tries, next_try_at, taken_until, ' +
      'tried_at, ended_at, status, ms, answer, error, way), ' +
      'INSERT (gateway_id, endpoint_id, channel_id, placement_id, kind, type, message_id, at, data, sealed), UPDATE (next_try_at)',
  },
  // The console writes new channels, and shows them without their sealed addresses.
  notification_channel: {
    ingest: ALL,
    serve: '',
    operate:
      'SELECT (id, kind, shown, quiet, is_of_setting, created_at), INSERT (kind, address, shown, secret, quiet), DELETE',
  },
  notification_rule: { ingest: ALL, serve: '', operate: 'SELECT, INSERT, DELETE' },
  notification_notice: INTERNAL,
  notification_service_notice: INTERNAL,
  // Publishing a held run queues exports, so the console sees which placements are on, but never their credentials.
  placement: {
    ingest: ALL,
    serve: 'SELECT (id, gateway_id, target, is_on, document_hash)',
    operate:
      'SELECT (id, gateway_id, target, contact, rule, embargo_hours, id_scheme, advert_ids, language, settings, is_on, is_dry_run, ' +
      'keeps_after_contract, is_ending, due_at, failures, failing_since, failure, held, held_at, exported_at, result, counts, created_at), ' +
      'UPDATE (is_on, held, held_at)',
  },
  publication: { ingest: ALL, serve: 'SELECT', operate: 'SELECT, UPDATE (hash, tries, is_withdrawn, removal)' },
  placement_document: SERVED,
  // This table and the three below belong to the previous release; the next release drops them.
  lead: {
    ingest: ALL,
    serve: 'SELECT (id, gateway_id, token, received_at, delivered_at), INSERT (gateway_id, token, aff_id, sealed)',
    operate: 'SELECT (id, gateway_id, received_at, aff_id, tries, tried_at, next_try_at, error, delivered_at, way)',
  },
  webhook_event: { ingest: ALL, serve: '', operate: 'SELECT, INSERT' },
  webhook_delivery: { ingest: ALL, serve: '', operate: 'SELECT, INSERT' },
};

/** Sequences that the ingesting role uses directly. For a sequence of a column, the right to INSERT is enough. */
export const SEQUENCES: readonly string[] = ['listing_version_id_seq'];

/** Functions that run with the rights of the owner, and the roles that may call them. */
export const FUNCTION_GRANTS: Readonly<Record<string, readonly (keyof TableGrants)[]>> = {
  // These functions do nothing now. The previous release calls both, and knows the serving role by the first.
  rehash_api_key: ['serve'],
  rehash_export_token: ['serve'],
  secrets_key_state: ['ingest', 'serve', 'operate'],
  add_lead: ['serve', 'ingest'],
  outbox_take_over: ['ingest'],
  remove_webhook: ['ingest', 'serve', 'operate'],
  rotate_webhook: ['ingest', 'operate'],
  shown_sources: ['ingest', 'operate'],
  shown_source: ['ingest', 'operate'],
  shown_feed_memory: ['ingest', 'operate'],
  add_gateway: ['ingest', 'operate'],
  rotate_api_key: ['ingest', 'operate'],
  revoke_api_key: ['ingest', 'operate'],
  add_export_token: ['ingest', 'operate'],
  revoke_export_token: ['ingest', 'operate'],
  remove_gateway: ['ingest', 'operate'],
  remove_operator: ['ingest', 'operate'],
};
