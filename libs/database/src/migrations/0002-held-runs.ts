import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes the few held runs, because every scrape of the metrics searches months of runs for them. */
export class HeldRuns1763690400000 implements MigrationInterface {
  name = 'HeldRuns1763690400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX run_held ON run (gateway_id) WHERE state = 'held'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX run_held');
  }
}
