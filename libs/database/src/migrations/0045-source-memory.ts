import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Answers and credentials of sources, kept from run to run: docs/decisions/0054. Adds only. */
export class SourceMemory1763845200000 implements MigrationInterface {
  name = 'SourceMemory1763845200000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  // A credential of an account, by a keyed digest of what it was exchanged for; and until when one process asks for another.
  `CREATE TABLE source_credential (
     key bytea PRIMARY KEY,
     sealed bytea,
     renew_at timestamptz,
     asked_until timestamptz
   )`,
  // A record that was asked for by itself and is not published yet, by the hash of its summary.
  `CREATE TABLE source_detail (
     gateway_id integer NOT NULL REFERENCES gateway ON DELETE CASCADE,
     hash bytea NOT NULL,
     sealed bytea NOT NULL,
     kept_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (gateway_id, hash)
   )`,
  'CREATE INDEX source_detail_age ON source_detail (kept_at)',
];

const DOWN = ['DROP TABLE source_detail', 'DROP TABLE source_credential'];
