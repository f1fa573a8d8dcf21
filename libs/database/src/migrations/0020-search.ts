import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Existing versions have no entry: a search derives theirs from the text (docs/decisions/0038). */
export class Search1763755200000 implements MigrationInterface {
  name = 'Search1763755200000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE listing_search');
  }
}

const UP = [
  `CREATE TABLE listing_search (
     version_id bigint PRIMARY KEY REFERENCES listing_version ON DELETE CASCADE,
     -- By which rules the two were made.
     form integer NOT NULL,
     fields text NOT NULL,
     words bytea NOT NULL
   ) WITH (toast_tuple_target = 8160)`,
  // A row of up to 8 KB stays whole in its heap page; compression would not make the words smaller.
  'ALTER TABLE listing_search ALTER COLUMN fields SET STORAGE MAIN, ALTER COLUMN words SET STORAGE EXTERNAL',
];
