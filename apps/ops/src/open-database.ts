import { type Database, openDatabase, POOL_SIZES } from '@passerelle/database';
import { connectionName } from '@passerelle/settings';

/** Removing a gateway with a long history takes time, and no reader waits for this process's statements. */
const STATEMENT_TIMEOUT_MS = 10 * 60_000;

/** In a separate file, because it loads the ORM. @throws the driver's error when the database cannot be reached. */
export async function openWholeDatabase(url: string): Promise<Database> {
  return openDatabase({
    url,
    applicationName: connectionName('ops'),
    poolSize: POOL_SIZES.ops,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  });
}
