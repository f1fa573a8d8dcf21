import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import pino, { type Logger } from 'pino';
import { ApiModule } from './api.module';
import { type Clock, systemClock } from './clock';
import type { ApiConfig } from './config';
import { ApiAdapter } from './http/api-adapter';
import { ErrorFilter } from './http/error.filter';
import { createFastify } from './http/fastify';
import { addRequestHooks } from './http/request-hooks';
import { Answers } from './metrics/answers';
import { FastLane } from './properties/fast-lane';

export interface AppOptions {
  config: ApiConfig;
  clock?: Clock;
  logger?: Logger;
  /** How long the first reader of a gateway waits for its first snapshot. */
  firstReadWaitMs?: number;
}

const FIRST_READ_WAIT_MS = 5_000;

/** The API, ready to listen. @throws DatabaseUnreachable, DatabaseNotMigrated */
export async function createApp(options: AppOptions): Promise<NestFastifyApplication> {
  const { config, clock = systemClock, firstReadWaitMs = FIRST_READ_WAIT_MS } = options;
  const logger = options.logger ?? pino({ level: 'silent' });
  const errors = new ErrorFilter(config, clock, logger);
  const answers = new Answers();
  const server = createFastify({ config, clock, errors, answers });
  const app = await NestFactory.create<NestFastifyApplication>(
    ApiModule.forRoot({ config, clock, logger, answers, firstReadWaitMs }),
    new ApiAdapter(server),
    { logger: false, bodyParser: false, abortOnError: false },
  );
  app.useGlobalFilters(errors);
  addRequestHooks(server, { config, logger, answers, fastLane: app.get(FastLane) });
  return app;
}
