import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a gateway's listings are mapped again from their stored records: docs/decisions/0084. */
export class Remaps1763997300000 implements MigrationInterface {
  name = 'Remaps1763997300000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  // Null when nothing is planned.
  'ALTER TABLE gateway_schedule ADD COLUMN remap_at timestamptz',
  'CREATE INDEX gateway_schedule_remap ON gateway_schedule (remap_at) WHERE remap_at IS NOT NULL',
];

const DOWN = [
  'DROP INDEX gateway_schedule_remap',
  'ALTER TABLE gateway_schedule DROP COLUMN remap_at',
  // The previous release does not know the trigger.
  `UPDATE run SET trigger = 'schedule' WHERE trigger = 'remap'`,
];
