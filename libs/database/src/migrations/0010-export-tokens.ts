import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ExportTokens1763719200000 implements MigrationInterface {
  name = 'ExportTokens1763719200000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  `CREATE TABLE export_token (
     id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     gateway_id integer NOT NULL REFERENCES gateway ON DELETE CASCADE,
     hash bytea NOT NULL UNIQUE,
     key_id text,
     prefix text NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     last_used_on date
   )`,
  'CREATE INDEX export_token_gateway ON export_token (gateway_id)',
  // Sets a newer hash of the same token, and changes nothing else.
  `CREATE FUNCTION rehash_export_token(export_token_id integer, known_hash bytea, new_hash bytea, new_key_id text) RETURNS void
   LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
     UPDATE public.export_token SET hash = new_hash, key_id = new_key_id
     WHERE id = export_token_id AND hash = known_hash AND key_id IS DISTINCT FROM new_key_id
   $$`,
  'REVOKE EXECUTE ON FUNCTION rehash_export_token FROM PUBLIC',
];

const DOWN = ['DROP FUNCTION rehash_export_token', 'DROP TABLE export_token'];
