import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adverts about which a suspended process may still send a request: docs/decisions/0085. */
export class LateAdverts1763997400000 implements MigrationInterface {
  name = 'LateAdverts1763997400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE publication ADD COLUMN doubt_at timestamptz');
    // Few adverts wait for an answer: metrics look for the oldest one.
    await runner.query(
      `CREATE INDEX publication_unanswered ON publication (gateway_id, since) WHERE state IN ('sent', 'removing')`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX publication_unanswered');
    await runner.query('ALTER TABLE publication DROP COLUMN doubt_at');
  }
}
