import type { MigrationInterface, QueryRunner } from 'typeorm';
import { withShortLock } from './with-short-lock';

/** Sums per day for the console’s trend, notes of operators about a gateway in trouble, and since when a list is held. */
export class TrendAndFollowUps1763997500000 implements MigrationInterface {
  name = 'TrendAndFollowUps1763997500000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await withShortLock(runner, ['ALTER TABLE run ADD COLUMN IF NOT EXISTS held_since timestamptz']);
    for (const statement of TABLES) await runner.query(statement);
    // The values of an edit may be secret, and nothing needs them after its end.
    await runner.query(
      `UPDATE outbox SET sealed = NULL WHERE kind = 'edit' AND state <> 'pending' AND sealed IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['follow_up', 'installation_day']) await runner.query(`DROP TABLE IF EXISTS ${table}`);
    await withShortLock(runner, ['ALTER TABLE run DROP COLUMN IF EXISTS held_since']);
  }
}

const TABLES = [
  `CREATE TABLE IF NOT EXISTS installation_day (
     day date PRIMARY KEY,
     -- At the end of the day; null when no ingestor ran on that day.
     listings bigint,
     runs bigint NOT NULL,
     failed bigint NOT NULL,
     added bigint NOT NULL,
     changed bigint NOT NULL,
     removed bigint NOT NULL
   )`,
  `CREATE TABLE IF NOT EXISTS follow_up (
     gateway_id integer PRIMARY KEY REFERENCES gateway ON DELETE CASCADE,
     note text NOT NULL CHECK (length(note) <= 500),
     assignee text,
     snoozed_until timestamptz,
     written_by text NOT NULL,
     written_at timestamptz NOT NULL DEFAULT now()
   )`,
];
