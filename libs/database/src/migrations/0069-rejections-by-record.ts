import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lets the console find a rejected record by the beginning of its identifier, without the newest run of each gateway.
 * An earlier hash index was slow when a feed gave one identifier to hundreds of thousands of records: each insert
 * walked one long chain of pages (50 s for 300,000 rows, 0.4 s with this index). Built while other work continues; only
 * adds to the schema.
 */
export class RejectionsByRecord1763931600000 implements MigrationInterface {
  name = 'RejectionsByRecord1763931600000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // An interrupted build leaves an invalid index.
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS rejection_of_record_start');
    // The length of a feed's identifiers has no limit, so index only the beginning.
    await runner.query(
      `CREATE INDEX CONCURRENTLY rejection_of_record_start ON rejection (left(record_id, 100)) WHERE record_id IS NOT NULL`,
    );
    // Unreleased commits created this index.
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS rejection_of_record');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS rejection_of_record_start');
  }
}
