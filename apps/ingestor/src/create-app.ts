import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { IngestorModule, type IngestorParts } from './ingestor.module';
import { nestLogger } from './nest-logger';

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
