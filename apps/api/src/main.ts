import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  DatabaseNotMigrated,
  DatabaseUnreachable,
  SchemaUnfit,
  SecretsKeyUnfit,
  WrongRole,
} from '@passerelle/database';
import { ConfigError } from '@passerelle/settings';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { openTraces } from '@passerelle/traces';
import { parseConfig } from './config';
import { createApp } from './create-app';
import { readDocuments } from './discovery/documents';
import { openLog } from './metrics/access-log';
import { HealthController } from './health/health.controller';

const SHUTDOWN_MS = 10_000;

/** The kernel resets connections beyond this limit, and a CRM may send thousands of webhooks at the same time. */
const BACKLOG = 4_096;

const DOCUMENTS_FOLDER = join(__dirname, '..', 'documents');

class CannotListen extends Error {}

async function main(): Promise<void> {
  const config = parseConfig(process.env);
  const log = openLog(config.logLevel);
  const { logger } = log;
  if (config.hasPagesBucket)
    logger.warn('PAGES_BUCKET_URL is no longer used and is ignored: remove it (docs/upgrading.md)');
  const traces = await openTraces('api', config.tracesEndpoint);
  const app = await createApp({ config, documents: readDocuments(DOCUMENTS_FOLDER), log, traces });
  await app.listen({ port: config.port, host: config.host, backlog: BACKLOG }).catch((cause: unknown) => {
    throw new CannotListen(`cannot listen on ${config.host}:${config.port}`, { cause });
  });
  logger.info({ address: await app.getUrl(), baseUrl: config.baseUrl }, 'listening');

  let isStopping = false;
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    logger.info({ signal }, 'stopping');
    await drain(app, config.drainMs);
    setTimeout(() => {
      logger.error({ afterMs: SHUTDOWN_MS }, 'requests that are still under way are cut off');
      process.exit(1);
    }, SHUTDOWN_MS).unref();
    await app.close();
    await traces.close();
    logger.info('stopped');
    // A half-open connection of a client must not keep the process alive.
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
}

/** Gives proxies time to send requests elsewhere, and answers requests that still arrive. */
async function drain(app: NestFastifyApplication, forMs: number): Promise<void> {
  app.get(HealthController).beginShutdown();
  const server = app.getHttpServer();
  server.prependListener('request', (_request, response) => {
    response.setHeader('connection', 'close');
  });
  await sleep(forMs);
}

/** An error in one line, without credentials from a URL. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.replace(/\s+/g, ' ').replace(/\/\/[^/@\s]*@/g, '//');
}

function bootFailure(error: unknown): string {
  if ([ConfigError, SchemaUnfit, SecretsKeyUnfit, WrongRole].some((kind) => error instanceof kind))
    return reasonOf(error);
  if (error instanceof CannotListen) return `${error.message}: ${reasonOf(error.cause)}`;
  if (error instanceof DatabaseUnreachable) {
    return `the database of DATABASE_URL cannot be reached: ${reasonOf(error.cause)}`;
  }
  if (error instanceof DatabaseNotMigrated) {
    return 'the database lacks migrations: run the migration step of this version first';
  }
  return `unexpected failure at boot: ${reasonOf(error)}`;
}

main().catch((error: unknown) => {
  process.stderr.write(`api: ${bootFailure(error)}\n`, () => process.exit(1));
});
