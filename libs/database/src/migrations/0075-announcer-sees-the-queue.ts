import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The announcer writes the state of the queue here, so that operators' tools, which do not connect to the queue, can
 * report that it is paused. A release that does not know this column does not change it.
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
