import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The announcer writes the queue's state here, because operators' tools do not connect to the queue. */
export class AnnouncerSeesTheQueue1763953200000 implements MigrationInterface {
  name = 'AnnouncerSeesTheQueue1763953200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE announcer ADD COLUMN queue_state text NOT NULL DEFAULT 'ok'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE announcer DROP COLUMN queue_state');
  }
}
