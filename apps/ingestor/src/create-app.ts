import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import fastify from 'fastify';
import { OpsErrorFilter } from './access/ops-error.filter';
import { addBoard } from './board/board';
import { IngestorModule, type IngestorParts } from './ingestor.module';
import { nestLogger } from './nest-logger';
import { IngestQueue } from './queue/ingest-queue';

const BODY_LIMIT_BYTES = 64 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;

/** The ingestor with its ops port, ready to listen. */
export async function createApp(parts: IngestorParts): Promise<NestFastifyApplication> {
  const server = fastify({ bodyLimit: BODY_LIMIT_BYTES, requestTimeout: REQUEST_TIMEOUT_MS });
  const app = await NestFactory.create<NestFastifyApplication>(
    IngestorModule.for(parts),
    // The adapter's types come from its own copy of Fastify.
    new FastifyAdapter(server as never),
    { logger: nestLogger(parts.log), abortOnError: false },
  );
  app.useGlobalFilters(new OpsErrorFilter(parts.log));
  await addBoard(server, app.get(IngestQueue).inner, parts.config.opsToken);
  return app;
}
