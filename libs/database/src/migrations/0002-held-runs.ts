import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Held runs are few, every scrape of the metrics searches for them, and their table keeps months of history. */
export class HeldRuns1763690400000 implements MigrationInterface {
  name = 'HeldRuns1763690400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX run_held ON run (gateway_id) WHERE state = 'held'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX run_held');
  }
}
