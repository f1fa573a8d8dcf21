import type { MigrationInterface, QueryRunner } from 'typeorm';
import { withShortLock } from './with-short-lock';

/** A trigger per statement replaces foreign keys, which searched three tables for each run: docs/decisions/0033. */
export class NotesLeaveWithRuns1763928000000 implements MigrationInterface {
  name = 'NotesLeaveWithRuns1763928000000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await withShortLock(runner, UP, [LOCK]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await withShortLock(runner, DOWN, [LOCK]);
  }
}

const NOTES = ['rejection', 'run_warning', 'run_log'];

// Lock in the same order as the runs that write the rows.
const LOCK = `LOCK TABLE ${NOTES.join(', ')}, run IN ACCESS EXCLUSIVE MODE`;

const UP = [
  // A connection keeps this plan. Without a sequential scan, the plan is right for any number of runs.
  `CREATE FUNCTION remove_notes() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
   DECLARE ids bigint[] := ARRAY(SELECT id FROM gone);
   BEGIN
     ${NOTES.map((table) => `DELETE FROM public.${table} WHERE run_id = ANY (ids);`).join('\n     ')}
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER remove_notes AFTER DELETE ON run REFERENCING OLD TABLE AS gone
   FOR EACH STATEMENT EXECUTE FUNCTION remove_notes()`,
  ...NOTES.map((table) => `ALTER TABLE ${table} DROP CONSTRAINT ${table}_run_id_fkey`),
];

const DOWN = [
  ...NOTES.map((table) => `DELETE FROM ${table} t WHERE NOT EXISTS (SELECT FROM run WHERE run.id = t.run_id)`),
  ...NOTES.map(
    (table) =>
      `ALTER TABLE ${table} ADD CONSTRAINT ${table}_run_id_fkey FOREIGN KEY (run_id) REFERENCES run ON DELETE CASCADE`,
  ),
  'DROP TRIGGER remove_notes ON run',
  'DROP FUNCTION remove_notes',
];
