import { DatabaseNotMigrated, DatabaseUnreachable } from '@passerelle/database';
import { LOG_DESTINATION, logOptions } from '@passerelle/settings';
import { pino } from 'pino';
import { parseConfig } from './config';
import { createApp } from './create-app';

/** Supervisors send SIGKILL 25 s or more after SIGTERM. */
const SHUTDOWN_MS = 10_000;

async function main(): Promise<void> {
  const config = parseConfig(process.env);
  const log = pino(logOptions('console', config.logLevel), pino.destination(LOG_DESTINATION));
  const app = await createApp({ config, log });
  await app.listen(config.port, config.host);
  log.info({ port: config.port, url: config.url }, 'ready');

  let isStopping = false;
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => {
      log.error({ afterMs: SHUTDOWN_MS }, 'requests that are still under way are cut off');
      process.exit(1);
    }, SHUTDOWN_MS).unref();
    await app.close();
    log.info('stopped');
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
}

/** One line that helps an operator, without the credentials of an address. */
function reasonOf(error: unknown): string {
  if (error instanceof DatabaseNotMigrated) return 'the database lacks migrations: run "npm run migrate"';
  if (error instanceof DatabaseUnreachable && error.cause !== undefined) return reasonOf(error.cause);
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.replace(/\s+/g, ' ').replace(/\/\/[^/@\s]*@/g, '//');
}

main().catch((error: unknown) => {
  process.stderr.write(`console: cannot start: ${reasonOf(error)}\n`);
  process.exit(1);
});
