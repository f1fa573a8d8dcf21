import type { MigrationInterface, QueryRunner } from 'typeorm';
import { withShortLock } from './with-short-lock';

/** One audit entry for an act on many gateways, and an index of the runs that read records. */
export class AuditPartsAndReadings1763993600000 implements MigrationInterface {
  name = 'AuditPartsAndReadings1763993600000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await withShortLock(runner, ['ALTER TABLE audit ADD COLUMN IF NOT EXISTS part_of bigint']);
    // Interrupted builds leave invalid indexes.
    for (const index of INDEXES) {
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${nameOf(index)}`);
      await runner.query(`CREATE INDEX CONCURRENTLY ${index}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const index of INDEXES) await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${nameOf(index)}`);
    await withShortLock(runner, ['ALTER TABLE audit DROP COLUMN IF EXISTS part_of']);
  }
}

const INDEXES = [
  // An act on many gateways has one entry, and a further entry for each gateway, which refers to it.
  'audit_parts ON audit (part_of, id) WHERE part_of IS NOT NULL',
  // Most runs find an unchanged feed and read no record, so they say nothing about rejected records.
  `run_reading ON run (gateway_id, id DESC)
     WHERE state IN ('published', 'unchanged', 'held') AND NOT dry_run AND (records > 0 OR state <> 'unchanged')`,
];

function nameOf(index: string): string {
  return index.slice(0, index.indexOf(' '));
}
