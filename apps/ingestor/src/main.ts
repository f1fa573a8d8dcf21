import { loadRegistry } from '@passerelle/connectors';
import { Database } from '@passerelle/database';
import { ConfigError } from '@passerelle/domain';
import { connectQueue } from '@passerelle/queue';
import { pino } from 'pino';
import { type IngestorConfig, parseConfig } from './config';
import { createApp } from './create-app';
import { keepHeapSmall } from './heap';

/** SIGKILL follows SIGTERM after 25 s or more; an outage must not hold the process until then. */
const SHUTDOWN_MS = 22_000;

/** The ingestor: the only writer of listings. */
async function main(): Promise<void> {
  keepHeapSmall();
  const config = parseConfig(process.env);
  const log = pino({ name: 'ingestor', level: config.logLevel });
  const registry = await loadRegistry();
  const database = await connect(config);
  await refuseUnreadableCredentials(config, database);

  const queue = connectQueue(config);
  const app = await createApp({ config, database, queue, registry, log });
  await app.listen(config.opsPort, config.host);
  log.info({ port: config.opsPort, queue: config.redisUrl === null ? 'postgresql' : 'redis' }, 'ready');

  let isStopping = false;
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), SHUTDOWN_MS).unref();
    await app.close();
    await queue.close();
    await database.close();
    log.info('stopped');
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
}

async function connect(config: IngestorConfig): Promise<Database> {
  const database = await Database.connect({
    url: config.databaseUrl,
    applicationName: 'passerelle-ingestor',
    poolSize: config.ingestConcurrency * 2 + 4,
    statementTimeoutMs: 120_000,
  });
  if (!(await database.isMigrated())) throw new ConfigError('the database lacks migrations: run "npm run migrate"');
  return database;
}

async function refuseUnreadableCredentials(config: IngestorConfig, database: Database): Promise<void> {
  if (!config.isProduction || config.secretsKey !== null) return;
  const gateways = await database.gateways.list();
  if (gateways.some(({ hasCredentials }) => hasCredentials)) {
    throw new ConfigError('SECRETS_KEY is missing: a gateway has credentials that cannot be read without it');
  }
}

main().catch((error: unknown) => {
  const message = error instanceof Error ? error.message || error.name : String(error);
  process.stderr.write(`ingestor: cannot start: ${message.split('\n')[0] ?? ''}\n`);
  process.exit(1);
});
