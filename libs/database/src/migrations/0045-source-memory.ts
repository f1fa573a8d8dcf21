import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Responses and credentials of sources, kept from run to run: docs/decisions/0054. Only adds to the schema. */
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
  // `key` is a keyed digest of the exchanged secret. Until `asked_until`, one process requests the next credential.
  `CREATE TABLE source_credential (
     key bytea PRIMARY KEY,
     sealed bytea,
     renew_at timestamptz,
     asked_until timestamptz
   )`,
  // A record that was requested individually and is not published yet; its key is the hash of its summary.
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
