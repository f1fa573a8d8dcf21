import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The log lines of a run, which the console shows: docs/decisions/0033. Only adds to the schema. */
export class LogLinesOfRuns1763902800000 implements MigrationInterface {
  name = 'LogLinesOfRuns1763902800000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  // A separate table, because lists read thousands of runs, but a page shows only one run's lines.
  `CREATE TABLE run_log (
     run_id bigint PRIMARY KEY REFERENCES run ON DELETE CASCADE,
     lines jsonb NOT NULL,
     earlier integer NOT NULL
   )`,
];

const DOWN = ['DROP TABLE run_log'];
