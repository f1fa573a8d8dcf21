import { join } from 'node:path';
import { type Database, openDatabase as connect } from '@passerelle/database';
import { startEmbeddedPostgres } from '../embedded/embedded-postgres';
import { CannotStart, oneLine } from './one-line';
import type { StartSettings } from './settings';

export interface StartDatabase {
  url: string;
  database: Database;
  /** For the screen, without a password. */
  description: string;
  stop(): Promise<void>;
  kill: () => void;
}

const NAME = 'passerelle';

/** Connects to DATABASE_URL, or starts the embedded server if it is not set. @throws CannotStart */
export async function openDatabase(settings: StartSettings, password: string): Promise<StartDatabase> {
  if (settings.databaseUrl !== null) {
    const { host, pathname } = new URL(settings.databaseUrl);
    const description = `${host}${pathname} (DATABASE_URL)`;
    const database = await connectAndMigrate(settings.databaseUrl, description, settings.parts);
    const stop = (): Promise<void> => database.close();
    return { url: settings.databaseUrl, database, description, stop, kill: () => undefined };
  }
  const server = await startEmbeddedPostgres({
    directory: join(settings.dataDir, 'postgres'),
    password,
    database: NAME,
  });
  try {
    const { url } = server;
    const description = `embedded PostgreSQL on 127.0.0.1:${server.port}, data in ${server.directory}`;
    const database = await connectAndMigrate(url, description, settings.parts);
    const stop = async (): Promise<void> => {
      await database.close();
      await server.stop();
    };
    return { url, database, description, stop, kill: server.kill };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function connectAndMigrate(url: string, description: string, parts: number): Promise<Database> {
  let database: Database;
  try {
    // No time limit, because a migration may take long.
    database = await connect({ url, applicationName: 'passerelle-start', statementTimeoutMs: 0 });
  } catch (error) {
    throw new CannotStart(`the database ${description} cannot be reached: ${oneLine(error)}`);
  }
  try {
    await database.migrations.migrate({}, parts);
    return database;
  } catch (error) {
    await database.close();
    throw new CannotStart(`the migrations of the database ${description} failed: ${oneLine(error)}`);
  }
}
