import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Requests that are under way at once, and tables of labels that are remembered: docs/decisions/0054. Adds only. */
export class RequestsAtOnce1763877600000 implements MigrationInterface {
  name = 'RequestsAtOnce1763877600000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  // A request that is under way to a source which answers so many at once: whose it is, and until when unless it says so again.
  `CREATE TABLE request_place (
     key text NOT NULL,
     place smallint NOT NULL,
     holder uuid NOT NULL,
     until timestamptz NOT NULL,
     PRIMARY KEY (key, place)
   )`,
  // An answer that seldom changes, by a keyed digest of its question, and when it was last known to be the source's.
  `CREATE TABLE source_answer (
     key bytea PRIMARY KEY,
     sealed bytea NOT NULL,
     checked_at timestamptz NOT NULL DEFAULT now()
   )`,
];

const DOWN = ['DROP TABLE source_answer', 'DROP TABLE request_place'];
