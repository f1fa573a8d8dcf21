import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The changes that a dry run would have made: the only result of a dry run that is stored. */
export class RunDifference1763694000000 implements MigrationInterface {
  name = 'RunDifference1763694000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE run ADD COLUMN difference jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE run DROP COLUMN difference');
  }
}
