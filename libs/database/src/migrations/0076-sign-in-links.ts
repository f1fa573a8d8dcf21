import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One-time sign-in links, stored as digests, and networks of former sign-ins: docs/decisions/0039. */
export class SignInLinks1763956800000 implements MigrationInterface {
  name = 'SignInLinks1763956800000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  // A link is invalid when its session number differs from its operator's.
  `CREATE TABLE sign_in_link (
     digest bytea PRIMARY KEY,
     operator text NOT NULL REFERENCES operator (name) ON DELETE CASCADE,
     session_epoch integer NOT NULL,
     ends_at timestamptz NOT NULL
   )`,
  `CREATE TABLE operator_network (
     operator text NOT NULL REFERENCES operator (name) ON DELETE CASCADE,
     network text NOT NULL,
     last_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (operator, network)
   )`,
];

const DOWN = ['DROP TABLE operator_network', 'DROP TABLE sign_in_link'];
