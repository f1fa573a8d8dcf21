import { setTimeout as sleep } from 'node:timers/promises';
import type { QueryRunner } from 'typeorm';

const LOCK_MS = 500;
const PAUSE_MS = 200;
/** A lock that was not there in time, a deadlock, a statement that took too long. */
const TRY_AGAIN = ['55P03', '40P01', '57014'];

/** One transaction, repeated until it gets its locks: other sessions wait for it no longer than it may wait for them. */
export async function withShortLock(
  runner: QueryRunner,
  statements: readonly string[],
  locks: readonly string[] = [],
): Promise<void> {
  for (;;) {
    await runner.startTransaction();
    try {
      await runner.query(`SET LOCAL lock_timeout = ${LOCK_MS}`);
      // All of them within that time, not each.
      if (locks.length > 0) await runner.query(`SET LOCAL statement_timeout = ${LOCK_MS}`);
      for (const lock of locks) await runner.query(lock);
      await runner.query('SET LOCAL statement_timeout = 0');
      await runner.query(statements.join(';\n'));
      await runner.commitTransaction();
      return;
    } catch (error) {
      await runner.rollbackTransaction();
      const code: unknown = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
      if (!TRY_AGAIN.includes(String(code))) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
