import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The API stores a presented key, sealed; the ingestor verifies it and sets hashes: docs/decisions/0017. */
export class PresentedKeys1763942400000 implements MigrationInterface {
  name = 'PresentedKeys1763942400000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  /** Keeps the empty functions: the previous release needs them to start, and postpones its new hashes. */
  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  // One row per existing key or token: a compromised API can add only as many rows as there are keys.
  `CREATE TABLE presented_key (
     api_key_id integer UNIQUE REFERENCES api_key ON DELETE CASCADE,
     export_token_id integer UNIQUE REFERENCES export_token ON DELETE CASCADE,
     sealed bytea NOT NULL CHECK (octet_length(sealed) <= 16500),
     CHECK (num_nonnulls(api_key_id, export_token_id) = 1)
   )`,
  // The previous release recognises the serving role by this function and calls it. The next release drops both.
  `CREATE OR REPLACE FUNCTION rehash_api_key(api_key_id integer, known_hash bytea, new_hash bytea, new_key_id text) RETURNS void
   LANGUAGE sql SECURITY INVOKER SET search_path = pg_catalog, pg_temp AS $$ SELECT $$`,
  `CREATE OR REPLACE FUNCTION rehash_export_token(export_token_id integer, known_hash bytea, new_hash bytea, new_key_id text)
   RETURNS void LANGUAGE sql SECURITY INVOKER SET search_path = pg_catalog, pg_temp AS $$ SELECT $$`,
  // A name of the same form as in the hashes of keys. Null until a process with SECRETS_KEY has started.
  'ALTER TABLE installation ADD COLUMN secrets_key_name text',
  // Has the owner's rights, because the console may not read names in hashes. If `name` is set, `carried` is empty.
  `CREATE FUNCTION secrets_key_state(OUT name text, OUT carried text[], OUT is_used boolean)
   LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
     SELECT i.secrets_key_name,
       CASE WHEN i.secrets_key_name IS NOT NULL THEN '{}' ELSE ARRAY(
         SELECT key_id FROM public.api_key WHERE key_id IS NOT NULL AND (expires_at IS NULL OR expires_at > now())
         UNION SELECT key_id FROM public.export_token WHERE key_id IS NOT NULL
       ) END,
       EXISTS (SELECT FROM public.gateway WHERE sealed_source IS NOT NULL OR credentials IS NOT NULL)
         OR EXISTS (SELECT FROM public.api_key WHERE key_id IS NOT NULL AND (expires_at IS NULL OR expires_at > now()))
         OR EXISTS (SELECT FROM public.export_token WHERE key_id IS NOT NULL)
         OR EXISTS (SELECT FROM public.webhook_endpoint)
         OR EXISTS (SELECT FROM public.call_address WHERE secret IS NOT NULL)
         OR EXISTS (SELECT FROM public.lead WHERE sealed IS NOT NULL)
     FROM public.installation i
   $$`,
  'REVOKE EXECUTE ON FUNCTION secrets_key_state FROM PUBLIC',
];

const DOWN = [
  'DROP FUNCTION secrets_key_state',
  'ALTER TABLE installation DROP COLUMN secrets_key_name',
  'DROP TABLE presented_key',
];
