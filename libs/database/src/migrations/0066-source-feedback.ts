import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Feedback to sources about their listings: docs/decisions/0070. Only adds to the schema. */
export class SourceFeedback1763920800000 implements MigrationInterface {
  name = 'SourceFeedback1763920800000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  // `changes` only grows, so that a notification settles only the changes that it reported.
  `CREATE TABLE source_feedback (
     gateway_id integer NOT NULL REFERENCES gateway ON DELETE CASCADE,
     listing text NOT NULL,
     status text NOT NULL CHECK (status IN ('shown', 'removed', 'rejected')),
     version_id bigint,
     reason text,
     changes integer NOT NULL DEFAULT 1,
     told boolean NOT NULL DEFAULT false,
     PRIMARY KEY (gateway_id, listing)
   )`,
  'CREATE INDEX source_feedback_waiting ON source_feedback (gateway_id) WHERE NOT told',
  // A gateway with feedback that its source has not received; the row is deleted after delivery.
  `CREATE TABLE source_feedback_due (
     gateway_id integer PRIMARY KEY REFERENCES gateway ON DELETE CASCADE,
     since timestamptz NOT NULL DEFAULT now(),
     tries integer NOT NULL DEFAULT 0,
     next_try_at timestamptz NOT NULL DEFAULT '-infinity',
     taken_until timestamptz NOT NULL DEFAULT '-infinity',
     fence bigint NOT NULL DEFAULT 0,
     error text
   )`,
];

const DOWN = ['DROP TABLE source_feedback_due', 'DROP TABLE source_feedback'];
