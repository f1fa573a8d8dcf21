import { Database } from '@passerelle/database';
import { ConfigError, Settings } from '@passerelle/domain';

/** `npm run migrate`: brings the database that DATABASE_URL names up to this version. Several may run at once. */
async function main(): Promise<void> {
  const url = new Settings(process.env).address('DATABASE_URL', ['postgres', 'postgresql']);
  if (url === undefined) throw new ConfigError('DATABASE_URL is missing: it says which database to migrate');
  const database = await Database.connect({ url, applicationName: 'passerelle-migrate', statementTimeoutMs: 0 });
  try {
    const applied = await database.migrate();
    process.stdout.write(applied.length === 0 ? 'the database is up to date\n' : `applied ${applied.join(', ')}\n`);
  } finally {
    await database.close();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`the migration failed: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
