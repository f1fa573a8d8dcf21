import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const POLL_MS = 2;

/** The time for which a lock blocked reads or writes of a table. */
export interface HeldLock {
  table: string;
  mode: string;
  ms: number;
}

/**
 * Polls the locks on existing tables while `work` runs.
 * @returns the longest locks first. Each duration is the time from the first poll that saw the lock to the first poll
 * that no longer saw it.
 */
export async function locksHeldDuring(databaseUrl: string, work: () => Promise<unknown>): Promise<HeldLock[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("CREATE TEMP TABLE known AS SELECT oid, relname FROM pg_class WHERE relkind IN ('r', 'p')");
  const seenAt = new Map<string, number>();
  const longest = new Map<string, number>();
  const state = { isOver: false };
  const watching = (async () => {
    while (!state.isOver) {
      const { rows } = await client.query<{ key: string }>(LOCKS);
      const now = performance.now();
      const present = new Set(rows.map(({ key }) => key));
      for (const key of present) if (!seenAt.has(key)) seenAt.set(key, now);
      for (const [key, since] of seenAt) {
        const what = key.slice(key.indexOf(' ') + 1);
        longest.set(what, Math.max(longest.get(what) ?? 0, now - since));
        if (!present.has(key)) seenAt.delete(key);
      }
      await sleep(POLL_MS);
    }
  })();
  try {
    await work();
  } finally {
    state.isOver = true;
    await watching;
    await client.end();
  }
  return [...longest]
    .map(([what, ms]) => ({ table: what.slice(what.indexOf(' ') + 1), mode: what.slice(0, what.indexOf(' ')), ms }))
    .toSorted((one, other) => other.ms - one.ms);
}

/** Granted locks that block reads or writes of other transactions, each with the transaction that holds it. */
const LOCKS = `
  SELECT l.virtualtransaction || ' ' || l.mode || ' ' || k.relname AS key FROM pg_locks l JOIN known k ON k.oid = l.relation
  WHERE l.granted AND l.pid <> pg_backend_pid() AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND l.mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock') AND k.relname !~ '^pg_'`;
