import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Columns for kept listings with an unreadable record, and for reverts to a snapshot: docs/decisions/0074 and 0075. */
export class KeptListingsAndReverts1763949600000 implements MigrationInterface {
  name = 'KeptListingsAndReverts1763949600000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  // The transaction that publishes or confirms a snapshot writes these rows.
  `CREATE TABLE kept_listing (
     gateway_id integer NOT NULL REFERENCES gateway ON DELETE CASCADE,
     aff_id text NOT NULL,
     kept_since timestamptz NOT NULL,
     PRIMARY KEY (gateway_id, aff_id)
   )`,
  // The listings that the run kept. A held run needs them when an operator publishes it.
  'ALTER TABLE run ADD COLUMN kept text[]',
  // Only for runs with the trigger 'revert': the token of the snapshot to go back to.
  'ALTER TABLE run ADD COLUMN revert_to text',
  'ALTER TABLE run ADD COLUMN revert_reason text',
  // The snapshot whose changes no run may undo.
  `CREATE TABLE revert_guard (
     gateway_id integer PRIMARY KEY REFERENCES gateway ON DELETE CASCADE,
     snapshot_id bigint NOT NULL,
     since timestamptz NOT NULL DEFAULT now()
   )`,
];

const DOWN = [
  'DROP TABLE revert_guard',
  'ALTER TABLE run DROP COLUMN revert_reason',
  'ALTER TABLE run DROP COLUMN revert_to',
  'ALTER TABLE run DROP COLUMN kept',
  'DROP TABLE kept_listing',
];
