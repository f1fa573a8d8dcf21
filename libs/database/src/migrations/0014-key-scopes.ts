import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Existing keys are valid for everything, from everywhere. */
export class KeyScopes1763733600000 implements MigrationInterface {
  name = 'KeyScopes1763733600000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  `ALTER TABLE api_key
     ADD COLUMN scope text NOT NULL DEFAULT 'both' CONSTRAINT api_key_scope CHECK (scope IN ('read', 'report', 'both')),
     ADD COLUMN networks text[]`,
  // A change of either column notifies the API's processes, like a change of the other columns.
  `CREATE OR REPLACE TRIGGER tell_api_key_changed
   AFTER INSERT OR DELETE OR UPDATE OF gateway_id, hash, prefix, expires_at, keyed_hash, key_id, scope, networks ON api_key
   FOR EACH ROW EXECUTE FUNCTION tell_gateway_changed()`,
];

const DOWN = [
  `CREATE OR REPLACE TRIGGER tell_api_key_changed
   AFTER INSERT OR DELETE OR UPDATE OF gateway_id, hash, prefix, expires_at, keyed_hash, key_id ON api_key
   FOR EACH ROW EXECUTE FUNCTION tell_gateway_changed()`,
  'ALTER TABLE api_key DROP COLUMN networks, DROP COLUMN scope',
];
