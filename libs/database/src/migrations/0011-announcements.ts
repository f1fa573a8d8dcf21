import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Announcements1763722800000 implements MigrationInterface {
  name = 'Announcements1763722800000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  // At most one row, which the first announcer adds.
  `CREATE TABLE announcer (
     id boolean PRIMARY KEY DEFAULT true CHECK (id),
     holder text NOT NULL,
     expires_at timestamptz NOT NULL
   )`,
  `ALTER TABLE run ADD COLUMN announced_until timestamptz NOT NULL DEFAULT '-infinity', ADD COLUMN turn integer`,
  // The order in which runs are added to the queue: new runs first, and among them the schedule's runs last.
  `CREATE INDEX run_to_announce ON run (announced_until, (trigger = 'schedule'), id) WHERE state IN ('queued', 'running')`,
];

const DOWN = [
  'DROP INDEX run_to_announce',
  'ALTER TABLE run DROP COLUMN turn, DROP COLUMN announced_until',
  'DROP TABLE announcer',
];
