import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Concurrent requests to sources, and remembered tables of labels: docs/decisions/0054. Only adds to the schema. */
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
  // A request in progress, its holder, and the time when the slot becomes free unless the holder renews it.
  `CREATE TABLE request_place (
     key text NOT NULL,
     place smallint NOT NULL,
     holder uuid NOT NULL,
     until timestamptz NOT NULL,
     PRIMARY KEY (key, place)
   )`,
  // A response that seldom changes, by a keyed digest of its request, and when it was last known to be current.
  `CREATE TABLE source_answer (
     key bytea PRIMARY KEY,
     sealed bytea NOT NULL,
     checked_at timestamptz NOT NULL DEFAULT now()
   )`,
];

const DOWN = ['DROP TABLE source_answer', 'DROP TABLE request_place'];
