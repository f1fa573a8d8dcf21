import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The announcer writes what it sees of the queue, so that operators' tools, which do not reach the queue, can say that it is paused. A
 * release that does not know the column leaves it as it is.
 */
export class AnnouncerSeesTheQueue1763953200000 implements MigrationInterface {
  name = 'AnnouncerSeesTheQueue1763953200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE announcer ADD COLUMN queue_state text NOT NULL DEFAULT 'ok'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE announcer DROP COLUMN queue_state');
  }
}
