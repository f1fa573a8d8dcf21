import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The newest runs in a state that is rare, and the changes of one operator or of one kind: without these, ten million others are
 * read to find none. Built beside what goes on.
 */
export class RunsByState1763866800000 implements MigrationInterface {
  name = 'RunsByState1763866800000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // Those that were broken off are there, and not valid.
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
