import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Rows that an ORM reads need a key, and a record may be rejected twice at one position. */
export class KeysOfNotes1763701200000 implements MigrationInterface {
  name = 'KeysOfNotes1763701200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE rejection ADD COLUMN id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY');
    await runner.query('ALTER TABLE run_warning ADD COLUMN id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE rejection DROP COLUMN id');
    await runner.query('ALTER TABLE run_warning DROP COLUMN id');
  }
}
