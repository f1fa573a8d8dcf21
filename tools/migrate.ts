import { openDatabase } from '@passerelle/database';
import { Settings } from '@passerelle/domain';

/** `npm run migrate`: brings the database that DATABASE_URL names up to this version. Several may run at once. */
async function main(): Promise<void> {
  const url = new Settings(process.env).require('DATABASE_URL', 'it says which database to migrate');
  const database = await openDatabase({ url, applicationName: 'passerelle-migrate', statementTimeoutMs: 0 });
  try {
    const applied = await database.migrations.migrate();
    process.stdout.write(applied.length === 0 ? 'the database is up to date\n' : `applied ${applied.join(', ')}\n`);
  } finally {
    await database.close();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`the migration failed: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
