import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { InvalidTokenLimiter } from './access/invalid-token-limiter';
import { guardOpsPort } from './access/ops-port-guard';
import { createOpsServer } from './access/ops-server';
import { IngestorModule, type IngestorDependencies } from './ingestor.module';
import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** The ingestor with its ops port, ready to listen. @throws DatabaseUnreachable, DatabaseNotMigrated */
export async function createApp(dependencies: IngestorDependencies): Promise<NestFastifyApplication> {
  const adapter = createOpsServer(dependencies.log);
  const app = await NestFactory.create<NestFastifyApplication>(IngestorModule.forRoot(dependencies), adapter, {
    logger: nestLogger(dependencies.log),
    abortOnError: false,
    bodyParser: false,
  });
  guardOpsPort(adapter.getInstance(), { config: dependencies.config, guesses: app.get(InvalidTokenLimiter) });
  return app;
}

/** The context in which Nest logs a failed boot, before it throws the same error. */
const BOOT = 'ExceptionHandler';

/** Messages during boot are only for debugging: after a failure the program reports the reason in one line. */
function nestLogger(log: Logger): LoggerService {
  return {
    log: (message: unknown) => {
      log.debug(String(message));
    },
    error: (message: unknown, ...details: unknown[]) => {
      const level = details.at(-1) === BOOT ? 'debug' : 'error';
      log[level]({ details: details.map(String) }, String(message));
    },
    warn: (message: unknown) => {
      log.warn(String(message));
    },
  };
}
