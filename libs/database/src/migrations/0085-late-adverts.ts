import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adverts that a process wrote after another one had taken its export over: docs/decisions/0085. */
export class LateAdverts1763997400000 implements MigrationInterface {
  name = 'LateAdverts1763997400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE publication ADD COLUMN late_id text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE publication DROP COLUMN late_id');
  }
}
