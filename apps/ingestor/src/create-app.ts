import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { IngestorModule, type IngestorParts } from './ingestor.module';
import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

const BODY_LIMIT_BYTES = 64 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;

/** The ingestor with its ops port, ready to listen. @throws DatabaseUnreachable, DatabaseNotMigrated */
export async function createApp(parts: IngestorParts): Promise<NestFastifyApplication> {
  return NestFactory.create<NestFastifyApplication>(
    IngestorModule.forRoot(parts),
    new FastifyAdapter({ bodyLimit: BODY_LIMIT_BYTES, requestTimeout: REQUEST_TIMEOUT_MS }),
    { logger: nestLogger(parts.log), abortOnError: false },
  );
}

/** The context in which Nest logs a boot that failed, ahead of throwing the same error. */
const BOOT = 'ExceptionHandler';

/**
 * Sends Nest's messages to our log. What it says while it boots is for debugging only, also when it fails: then the
 * program says why, in one line.
 */
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
