import { setTimeout as sleep } from 'node:timers/promises';
import type { QueryRunner } from 'typeorm';

const LOCK_MS = 500;
const PAUSE_MS = 200;
/** Codes for a lock timeout, a deadlock, and a statement timeout. */
const TRY_AGAIN = ['55P03', '40P01', '57014'];

/** Repeats one transaction until it gets its locks. Short timeouts limit how long other sessions wait for it. */
export async function withShortLock(
  runner: QueryRunner,
  statements: readonly string[],
  locks: readonly string[] = [],
): Promise<void> {
  for (;;) {
    await runner.startTransaction();
    try {
      await runner.query(`SET LOCAL lock_timeout = ${LOCK_MS}`);
      // This timeout covers all locks together; `lock_timeout` covers each.
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
