import { type Database, openDatabase } from '@passerelle/database';
import { connectionName } from '@passerelle/settings';

/** Removing a gateway with a long past takes its time; nobody else waits for this process's statements. */
const STATEMENT_TIMEOUT_MS = 10 * 60_000;

/** A file of its own, for it loads the ORM. @throws what the driver says when the database cannot be reached. */
export async function openWholeDatabase(url: string): Promise<Database> {
  return openDatabase({
    url,
    applicationName: connectionName('ops'),
    poolSize: 2,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  });
}
