import { loadRegistry } from '@passerelle/connectors';
import { DatabaseNotMigrated, DatabaseUnreachable } from '@passerelle/database';
import { LOG_DESTINATION, logOptions } from '@passerelle/settings';
import type { QueueConnection } from '@passerelle/queue';
import { openTraces } from '@passerelle/traces';
import { pino } from 'pino';
import { parseConfig } from './config';
import { createApp } from './create-app';
import { QUEUE_CONNECTION } from './tokens';

/** SIGKILL follows SIGTERM after 25 s or more; an outage must not hold the process until then. */
const SHUTDOWN_MS = 22_000;

async function main(): Promise<void> {
  const config = parseConfig(process.env);
  const log = pino(logOptions('ingestor', config.logLevel), pino.destination(LOG_DESTINATION));
  if (config.pagesBucketUrl !== null)
    log.warn(
      'PAGES_BUCKET_URL is no longer used: this ingestor only stores the reports that still wait there; remove it (docs/upgrading.md)',
    );
  const registry = await loadRegistry();
  const traces = await openTraces('ingestor', config.tracesEndpoint);
  const app = await createApp({ config, registry, log, traces });
  await app.listen(config.opsPort, config.host);
  log.info({ port: config.opsPort, queue: config.redisUrl === null ? 'postgresql' : 'redis' }, 'ready');

  let isStopping = false;
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => {
      log.error(
        { afterMs: SHUTDOWN_MS },
        'the database or the queue does not close its connections: exiting without waiting for them',
      );
      process.exit(1);
    }, SHUTDOWN_MS).unref();
    await app.close();
    await app.get<QueueConnection>(QUEUE_CONNECTION).close();
    await traces.close();
    log.info('stopped');
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
}

function reasonOf(error: unknown): string {
  if (error instanceof DatabaseNotMigrated) return 'the database lacks migrations: run "npm run migrate"';
  // The driver names the address that did not answer, or the server's refusal.
  if (error instanceof DatabaseUnreachable && error.cause !== undefined) return reasonOf(error.cause);
  return error instanceof Error ? error.message || error.name : String(error);
}

main().catch((error: unknown) => {
  process.stderr.write(`ingestor: cannot start: ${reasonOf(error).split('\n')[0] ?? ''}\n`);
  process.exit(1);
});
