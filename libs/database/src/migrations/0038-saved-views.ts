import type { MigrationInterface, QueryRunner } from 'typeorm';

export class SavedViews1763820000000 implements MigrationInterface {
  name = 'SavedViews1763820000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE saved_view (
         name text PRIMARY KEY,
         query text NOT NULL,
         saved_by text NOT NULL,
         saved_at timestamptz NOT NULL DEFAULT now()
       )`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE saved_view');
  }
}
