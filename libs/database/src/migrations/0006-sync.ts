import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tokens of snapshots, hashes of listings, reasons of changes, and pagination sessions that outlive a publication. */
export class Sync1763704800000 implements MigrationInterface {
  name = 'Sync1763704800000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  // 22 URL-safe characters, 122 random bits.
  `ALTER TABLE snapshot
     ADD COLUMN token text NOT NULL
       DEFAULT translate(rtrim(encode(uuid_send(gen_random_uuid()), 'base64'), '='), '+/', '-_'),
     -- Published by an operator's order, past the gate.
     ADD COLUMN approved boolean NOT NULL DEFAULT false,
     -- When the source last confirmed it, once another has taken its place.
     ADD COLUMN confirmed_at timestamptz,
     -- Since then its listings cannot be read any more; its token and its changes still can.
     ADD COLUMN pruned_at timestamptz`,
  'CREATE UNIQUE INDEX snapshot_token ON snapshot (gateway_id, token)',
  'CREATE INDEX snapshot_readable ON snapshot (gateway_id, id) WHERE pruned_at IS NULL',
  'CREATE INDEX snapshot_pruned ON snapshot (pruned_at) WHERE pruned_at IS NOT NULL',

  // Null in rows of earlier releases: readers then calculate the same hash from the text.
  `ALTER TABLE listing_version
     ADD COLUMN empreinte text,
     ADD COLUMN photos_empreinte text`,

  // A change outlives the versions that it refers to.
  `ALTER TABLE listing_change
     ADD COLUMN aff_num text,
     ADD COLUMN reason text CHECK (reason IN ('absent', 'withdrawn', 'rejected')),
     ADD COLUMN empreinte text,
     ADD COLUMN previous_empreinte text`,
  // Rows are stored in time order, so a few index pages lead to the old rows among all rows of 90 days.
  'CREATE INDEX listing_change_at ON listing_change USING brin (at)',
  'CREATE INDEX run_ended ON run USING brin (ended_at)',

  `ALTER TABLE report
     ADD COLUMN snapshot text,
     ADD COLUMN added integer,
     ADD COLUMN updated integer,
     ADD COLUMN removed integer,
     ADD COLUMN failed jsonb,
     ADD COLUMN plugin text`,

  // A row is written only around a publication: other sessions need no row.
  `CREATE TABLE walk (
     gateway_id integer NOT NULL REFERENCES gateway ON DELETE CASCADE,
     reader bytea NOT NULL,
     snapshot_id bigint NOT NULL,
     first_at timestamptz NOT NULL,
     last_first_at timestamptz NOT NULL,
     finished_at timestamptz,
     PRIMARY KEY (gateway_id, reader)
   )`,
  'CREATE INDEX walk_age ON walk (first_at)',
];

const DOWN = [
  'DROP TABLE walk',
  `ALTER TABLE report DROP COLUMN snapshot, DROP COLUMN added, DROP COLUMN updated, DROP COLUMN removed,
     DROP COLUMN failed, DROP COLUMN plugin`,
  'DROP INDEX run_ended',
  'DROP INDEX listing_change_at',
  `ALTER TABLE listing_change DROP COLUMN aff_num, DROP COLUMN reason, DROP COLUMN empreinte,
     DROP COLUMN previous_empreinte`,
  'ALTER TABLE listing_version DROP COLUMN empreinte, DROP COLUMN photos_empreinte',
  'DELETE FROM snapshot WHERE pruned_at IS NOT NULL',
  'ALTER TABLE snapshot DROP COLUMN token, DROP COLUMN approved, DROP COLUMN confirmed_at, DROP COLUMN pruned_at',
];
