import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A requested run may start immediately: runs that have to wait are in the schedule. */
export class RunsStartAtOnce1763697600000 implements MigrationInterface {
  name = 'RunsStartAtOnce1763697600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE run DROP COLUMN not_before');
    await runner.query(`CREATE INDEX run_waiting ON run (gateway_id) WHERE state IN ('queued', 'running')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX run_waiting');
    await runner.query('ALTER TABLE run ADD COLUMN not_before timestamptz NOT NULL DEFAULT now()');
    await runner.query(`CREATE INDEX run_waiting ON run (not_before) WHERE state IN ('queued', 'running')`);
  }
}
