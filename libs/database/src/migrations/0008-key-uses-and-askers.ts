import type { MigrationInterface, QueryRunner } from 'typeorm';

export class KeyUsesAndAskers1763712000000 implements MigrationInterface {
  name = 'KeyUsesAndAskers1763712000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  // In UTC; null for keys that were not used since this column exists.
  'ALTER TABLE api_key ADD COLUMN last_used_on date',
  // The use of a key changes nothing in the API's cached gateway, so it sends no notification.
  `CREATE OR REPLACE TRIGGER tell_api_key_changed AFTER INSERT OR DELETE OR UPDATE OF gateway_id, hash, prefix, expires_at ON api_key
   FOR EACH ROW EXECUTE FUNCTION tell_gateway_changed()`,
  // `asked_by` is `reader`, or the operator's name; null for the schedule.
  'ALTER TABLE run ADD COLUMN request_id text, ADD COLUMN asked_by text',
];

const DOWN = [
  'ALTER TABLE run DROP COLUMN asked_by, DROP COLUMN request_id',
  `CREATE OR REPLACE TRIGGER tell_api_key_changed AFTER INSERT OR UPDATE OR DELETE ON api_key
   FOR EACH ROW EXECUTE FUNCTION tell_gateway_changed()`,
  'ALTER TABLE api_key DROP COLUMN last_used_on',
];
