import { Database } from '@passerelle/database';
import { ConfigError } from '@passerelle/domain';
import pino from 'pino';
import { type ApiConfig, parseConfig } from './config';
import { createApp } from './create-app';

/** Requests in flight get so long to end when the process is told to stop. */
const SHUTDOWN_MS = 10_000;

/** A reason not to boot that the operator can act on. */
class BootError extends Error {
  override readonly name = 'BootError';
}

async function connect({ databaseUrl }: ApiConfig): Promise<Database> {
  const database = await Database.connect({ url: databaseUrl, applicationName: 'passerelle-api' }).catch(
    (error: unknown) => {
      throw new BootError(`the database of DATABASE_URL cannot be reached: ${reasonOf(error)}`);
    },
  );
  if (!(await database.isMigrated())) {
    await database.close();
    throw new BootError('the database lacks migrations: run the migration step of this version first');
  }
  return database;
}

async function main(): Promise<void> {
  const config = parseConfig(process.env);
  const logger = pino({ level: config.logLevel, base: { service: 'api' }, timestamp: pino.stdTimeFunctions.isoTime });
  const database = await connect(config);
  const app = await createApp({ config, database, logger });
  await app.listen(config.port, config.host).catch((error: unknown) => {
    throw new BootError(`cannot listen on ${config.host}:${config.port}: ${reasonOf(error)}`);
  });
  logger.info({ address: await app.getUrl(), baseUrl: config.baseUrl }, 'listening');

  let isStopping = false;
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    logger.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), SHUTDOWN_MS).unref();
    await app.close();
    await database.close();
    logger.info('stopped');
    // What a client left half-open must not hold the process.
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
}

/** One line, without what may be secret in it. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.replace(/\s+/g, ' ').replace(/\/\/[^/@\s]*@/g, '//');
}

main().catch((error: unknown) => {
  const isExpected = error instanceof BootError || error instanceof ConfigError;
  const line = isExpected ? error.message : `unexpected failure at boot: ${reasonOf(error)}`;
  process.stderr.write(`api: ${line}\n`, () => process.exit(1));
});
