import { openDatabase, POOL_SIZES } from '@passerelle/database';
import { readSettings } from './migrate/settings';

/** `npm run migrate`: also creates or updates the roles. Several processes may run it at the same time. */
async function main(): Promise<void> {
  const { databaseUrl, passwords, parts: wanted } = readSettings(process.env);
  const database = await openDatabase({
    url: databaseUrl,
    applicationName: 'passerelle-migrate',
    poolSize: POOL_SIZES.migrate,
    statementTimeoutMs: 0,
  });
  try {
    const { applied, parts } = await database.migrations.migrate(passwords, wanted ?? undefined);
    process.stdout.write(applied.length === 0 ? 'the database is up to date\n' : `applied ${applied.join(', ')}\n`);
    if (wanted !== null && wanted !== parts) {
      process.stdout.write(
        `DATABASE_PARTITIONS=${wanted} has no effect: the database was created with ${parts} partitions\n`,
      );
    }
  } finally {
    await database.close();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`the migration failed: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
