import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Database } from '@passerelle/database';
import pino, { type Logger } from 'pino';
import { ApiModule, createParts } from './api.module';
import { type Clock, systemClock } from './clock';
import type { ApiConfig } from './config';
import { ErrorFilter } from './http/error.filter';
import { createFastify } from './http/fastify';
import { nestAdapter } from './http/nest-adapter';
import { FastLane } from './properties/fast-lane';
import { standardHeaders } from './http/response-headers';
import { errorSender } from './http/send-error';

export interface AppOptions {
  config: ApiConfig;
  /** Connected and migrated; whoever connected it closes it. */
  database: Database;
  clock?: Clock;
  logger?: Logger;
  /** How long the first reader of a gateway waits for its first snapshot. */
  firstReadWaitMs?: number;
}

const FIRST_READ_WAIT_MS = 5_000;

/** The API, ready to listen. */
export async function createApp(options: AppOptions): Promise<NestFastifyApplication> {
  const { config, database, clock = systemClock, firstReadWaitMs = FIRST_READ_WAIT_MS } = options;
  const logger = options.logger ?? pino({ level: 'silent' });
  const keyPepper = await database.gateways.keyPepper();
  const settings = { config, database, keyPepper, clock, logger, firstReadWaitMs };
  const parts = createParts(settings);
  const sendError = errorSender(logger, clock, standardHeaders(config));
  const fastLane = new FastLane(parts.door, parts.snapshots, parts.pages, parts.sender);
  const instance = createFastify({ config, logger, clock, sendError, fastLane });
  const app = await NestFactory.create<NestFastifyApplication>(ApiModule.of(settings, parts), nestAdapter(instance), {
    logger: false,
    bodyParser: false,
    abortOnError: false,
  });
  app.useGlobalFilters(new ErrorFilter(sendError));
  return app;
}
