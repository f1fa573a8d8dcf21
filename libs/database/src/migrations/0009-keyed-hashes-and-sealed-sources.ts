import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Only adds to the schema: the columns that the previous release reads stay until `ops rekey` clears them. */
export class KeyedHashesAndSealedSources1763715600000 implements MigrationInterface {
  name = 'KeyedHashesAndSealedSources1763715600000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  `ALTER TABLE api_key ADD COLUMN keyed_hash bytea, ADD COLUMN key_id text,
     ADD CONSTRAINT api_key_keyed CHECK ((keyed_hash IS NULL) = (key_id IS NULL))`,
  `CREATE OR REPLACE TRIGGER tell_api_key_changed
   AFTER INSERT OR DELETE OR UPDATE OF gateway_id, hash, prefix, expires_at, keyed_hash, key_id ON api_key
   FOR EACH ROW EXECUTE FUNCTION tell_gateway_changed()`,
  // Runs with the owner's rights, but the serving role may only write a newer hash of the same key.
  `CREATE FUNCTION rehash_api_key(api_key_id integer, known_hash bytea, new_hash bytea, new_key_id text) RETURNS void
   LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
     UPDATE public.api_key SET keyed_hash = new_hash, key_id = new_key_id
     WHERE id = api_key_id AND coalesce(keyed_hash, hash) = known_hash AND key_id IS DISTINCT FROM new_key_id
   $$`,
  'REVOKE EXECUTE ON FUNCTION rehash_api_key FROM PUBLIC',
  // JSON of the source's addresses. If set, source_url and settings contain only values that may be shown.
  'ALTER TABLE gateway ADD COLUMN sealed_source bytea',
];

const DOWN = [
  'ALTER TABLE gateway DROP COLUMN sealed_source',
  'DROP FUNCTION rehash_api_key',
  `CREATE OR REPLACE TRIGGER tell_api_key_changed AFTER INSERT OR DELETE OR UPDATE OF gateway_id, hash, prefix, expires_at ON api_key
   FOR EACH ROW EXECUTE FUNCTION tell_gateway_changed()`,
  'ALTER TABLE api_key DROP COLUMN keyed_hash, DROP COLUMN key_id',
];
