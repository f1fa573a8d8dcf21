import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Unchanged runs fold into one a day, and a confirmation tells nobody: docs/decisions/0033. Adds only, and touches no row: what
 * was kept before is folded by the ingestor, a few gateways at a time.
 */
export class RunsDoNotPileUp1763740800000 implements MigrationInterface {
  name = 'RunsDoNotPileUp1763740800000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

/** What the API keeps of a gateway. Its confirmation is read anew every few seconds, and every run writes one. */
const KEPT_BY_THE_API = ['id', 'crm', 'client', 'enabled', 'contract_end', 'current_snapshot_id'];
const rowOf = (alias: string): string => `(${KEPT_BY_THE_API.map((column) => `${alias}.${column}`).join(', ')})`;

const UP = [
  // Which ingestor carried it out.
  'ALTER TABLE run ADD COLUMN worker text',
  // How many runs of its day the run stands for, and when the first of them started; null when it stands for itself.
  'ALTER TABLE run ADD COLUMN folded_runs integer, ADD COLUMN folded_since timestamptz',
  // Unchanged runs since the last cleaning, and up to which run they are folded. All gateways are due once.
  `ALTER TABLE gateway_schedule
     ADD COLUMN unfolded_runs integer NOT NULL DEFAULT 0,
     ADD COLUMN folded_to bigint NOT NULL DEFAULT 0,
     ADD COLUMN clean_at timestamptz NOT NULL DEFAULT '-infinity'`,
  // Runs that go leave room among those that stay: their order is no longer that of their times.
  'DROP INDEX run_ended',

  `CREATE TRIGGER tell_gateway_updated AFTER UPDATE ON gateway
   FOR EACH ROW WHEN (${rowOf('OLD')} IS DISTINCT FROM ${rowOf('NEW')}) EXECUTE FUNCTION tell_gateway_changed()`,
  `CREATE OR REPLACE TRIGGER tell_gateway_changed AFTER INSERT OR DELETE ON gateway
   FOR EACH ROW EXECUTE FUNCTION tell_gateway_changed()`,

  // Room for the next version of a row beside it, so that no index has to be told. The three of a gateway are written with every run.
  'ALTER TABLE gateway SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05)',
  'ALTER TABLE gateway_lease SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05)',
  'ALTER TABLE gateway_schedule SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05)',
  // A fifth of a hundred million rows is too long to wait.
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
