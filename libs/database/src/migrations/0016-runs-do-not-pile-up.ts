import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Unchanged runs fold into one per day; the ingestor folds older runs gradually: docs/decisions/0033. */
export class RunsDoNotPileUp1763740800000 implements MigrationInterface {
  name = 'RunsDoNotPileUp1763740800000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

/** The API caches these columns. It reads confirmations again every few seconds, because every run writes one. */
const KEPT_BY_THE_API = ['id', 'crm', 'client', 'enabled', 'contract_end', 'current_snapshot_id'];
const rowOf = (alias: string): string => `(${KEPT_BY_THE_API.map((column) => `${alias}.${column}`).join(', ')})`;

const UP = [
  'ALTER TABLE run ADD COLUMN worker text',
  // The day's unchanged runs that the row represents, and their first start; null when it represents only itself.
  'ALTER TABLE run ADD COLUMN folded_runs integer, ADD COLUMN folded_since timestamptz',
  // Unchanged runs since the last cleaning, and the last folded run. By default every gateway is due.
  `ALTER TABLE gateway_schedule
     ADD COLUMN unfolded_runs integer NOT NULL DEFAULT 0,
     ADD COLUMN folded_to bigint NOT NULL DEFAULT 0,
     ADD COLUMN clean_at timestamptz NOT NULL DEFAULT '-infinity'`,
  // Deleted runs leave free space, so that rows are no longer stored in the order of their times.
  'DROP INDEX run_ended',

  `CREATE TRIGGER tell_gateway_updated AFTER UPDATE ON gateway
   FOR EACH ROW WHEN (${rowOf('OLD')} IS DISTINCT FROM ${rowOf('NEW')}) EXECUTE FUNCTION tell_gateway_changed()`,
  `CREATE OR REPLACE TRIGGER tell_gateway_changed AFTER INSERT OR DELETE ON gateway
   FOR EACH ROW EXECUTE FUNCTION tell_gateway_changed()`,

  // Free space for a row's next version in its page, so that no index changes: every run writes these three rows.
  'ALTER TABLE gateway SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05)',
  'ALTER TABLE gateway_lease SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05)',
  'ALTER TABLE gateway_schedule SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05)',
  // With the default, vacuum would wait for a fifth of a hundred million rows.
  'ALTER TABLE run SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05)',
];

const DOWN = [
  ...['gateway', 'gateway_lease', 'gateway_schedule'].map(
    (table) => `ALTER TABLE ${table} RESET (fillfactor, autovacuum_vacuum_scale_factor)`,
  ),
  'ALTER TABLE run RESET (fillfactor, autovacuum_vacuum_scale_factor, autovacuum_vacuum_insert_scale_factor)',
  'DROP TRIGGER tell_gateway_updated ON gateway',
  `CREATE OR REPLACE TRIGGER tell_gateway_changed AFTER INSERT OR UPDATE OR DELETE ON gateway
   FOR EACH ROW EXECUTE FUNCTION tell_gateway_changed()`,
  'CREATE INDEX run_ended ON run USING brin (ended_at)',
  'ALTER TABLE gateway_schedule DROP COLUMN unfolded_runs, DROP COLUMN folded_to, DROP COLUMN clean_at',
  'ALTER TABLE run DROP COLUMN folded_runs, DROP COLUMN folded_since, DROP COLUMN worker',
];
