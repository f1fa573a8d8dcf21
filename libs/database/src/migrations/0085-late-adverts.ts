import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adverts that a process wrote after another one had taken its export over: docs/decisions/0085. */
export class LateAdverts1763997400000 implements MigrationInterface {
  name = 'LateAdverts1763997400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE publication ADD COLUMN late_id text');
    // Few adverts wait for an answer: metrics look for the oldest one.
    await runner.query(
      `CREATE INDEX publication_unanswered ON publication (gateway_id, since) WHERE state IN ('sent', 'removing')`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX publication_unanswered');
    await runner.query('ALTER TABLE publication DROP COLUMN late_id');
  }
}
