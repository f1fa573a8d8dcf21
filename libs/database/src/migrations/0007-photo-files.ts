import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PhotoFiles1763708400000 implements MigrationInterface {
  name = 'PhotoFiles1763708400000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  // A row lives as long as its listing version. A file without a row may be removed from the store.
  `CREATE TABLE listing_photo (
     version_id bigint NOT NULL REFERENCES listing_version ON DELETE CASCADE,
     position integer NOT NULL,
     gateway_id integer NOT NULL,
     -- As the feed names it, and the folder of the records that name it.
     name text NOT NULL,
     folder text NOT NULL,
     -- Of the archive's directory; null when no archive had it, or the file is to be looked at again.
     size_bytes bigint,
     crc32 bigint,
     -- The photo in the store; null when there is none, for the reason in refusal or because it is missing.
     token text,
     extension text,
     width integer,
     height integer,
     empreinte text,
     refusal text,
     -- The listing names an address in its stead.
     elsewhere boolean NOT NULL,
     PRIMARY KEY (version_id, position)
   )`,
  'CREATE INDEX listing_photo_name ON listing_photo (gateway_id, name)',
  'CREATE INDEX listing_photo_token ON listing_photo (token) WHERE token IS NOT NULL',
  // Several ingestors share a store; the time of the last pruning decides which ingestor prunes unused photos next.
  'ALTER TABLE installation ADD COLUMN media_pruned_at timestamptz',
];

const DOWN = ['ALTER TABLE installation DROP COLUMN media_pruned_at', 'DROP TABLE listing_photo'];
