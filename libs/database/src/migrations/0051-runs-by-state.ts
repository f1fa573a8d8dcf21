import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Without these indexes, PostgreSQL would read ten million rows to find none. Work continues during the build. */
export class RunsByState1763866800000 implements MigrationInterface {
  name = 'RunsByState1763866800000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // Interrupted builds leave invalid indexes.
    await this.down(runner);
    for (const index of INDEXES) await runner.query(`CREATE INDEX CONCURRENTLY ${index}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const index of INDEXES) await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index.split(' ')[0]}`);
  }
}

const INDEXES = [
  `run_rare_state ON run (state, id) WHERE state IN ('failed', 'cancelled', 'discarded', 'held')`,
  'audit_who ON audit (who, id)',
  'audit_act ON audit (act, id)',
];
