import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Both defaults are constants, so no row is rewritten. The first run of the release fills the columns. */
export class MissingDuties1763737200000 implements MigrationInterface {
  name = 'MissingDuties1763737200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE listing_version ADD COLUMN duties integer NOT NULL DEFAULT 0');
    await runner.query(`ALTER TABLE snapshot ADD COLUMN duties jsonb NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE snapshot DROP COLUMN duties');
    await runner.query('ALTER TABLE listing_version DROP COLUMN duties');
  }
}
