import type { MigrationInterface, QueryRunner } from 'typeorm';
import { withShortLock } from './with-short-lock';

/** Columns and a table for listings that come back under another id: docs/decisions/0081. */
export class Relisted1763971200000 implements MigrationInterface {
  name = 'Relisted1763971200000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await withShortLock(runner, UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await withShortLock(runner, DOWN);
  }
}

const UP = [
  // The former affId of a listing that has come back under another one.
  'ALTER TABLE listing_change ADD COLUMN replaces text',
  // The sum of the hashes of all listings, to recognise an earlier list.
  'ALTER TABLE snapshot ADD COLUMN content_sum numeric',
  // How many snapshots in succession returned to an earlier list.
  'ALTER TABLE snapshot ADD COLUMN returns integer NOT NULL DEFAULT 0',
  // Removed listings; the publishing transaction writes and compares them.
  `CREATE TABLE former_listing (
     gateway_id integer NOT NULL REFERENCES gateway ON DELETE CASCADE,
     aff_id text NOT NULL,
     removed_at timestamptz NOT NULL DEFAULT now(),
     house text,
     price numeric,
     replaced_by text,
     PRIMARY KEY (gateway_id, aff_id)
   )`,
  'CREATE INDEX former_listing_house ON former_listing (gateway_id, house) WHERE house IS NOT NULL',
];

const DOWN = [
  'DROP TABLE former_listing',
  'ALTER TABLE snapshot DROP COLUMN returns',
  'ALTER TABLE snapshot DROP COLUMN content_sum',
  'ALTER TABLE listing_change DROP COLUMN replaces',
];
