import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { NO_TRACES, type Traces } from '@passerelle/traces';
import pino, { type Logger } from 'pino';
import { ApiModule } from './api.module';
import { type Clock, systemClock } from './clock';
import type { ApiConfig } from './config';
import { AccessLog } from './http/access-log';
import { ApiAdapter } from './http/api-adapter';
import { ErrorFilter } from './http/error.filter';
import { createFastify } from './http/fastify';
import { Proxies } from './http/proxies';
import { addRequestHooks } from './http/request-hooks';
import { Answers } from './metrics/answers';
import { Outage } from './metrics/outage';
import { FastLane } from './properties/fast-lane';

export interface AppOptions {
  config: ApiConfig;
  clock?: Clock;
  logger?: Logger;
  traces?: Traces;
  /** How long the first reader of a gateway waits for its first snapshot. */
  firstReadWaitMs?: number;
}

const FIRST_READ_WAIT_MS = 5_000;

/** The API, ready to listen. @throws DatabaseUnreachable, DatabaseNotMigrated */
export async function createApp(options: AppOptions): Promise<NestFastifyApplication> {
  const { config, clock = systemClock, firstReadWaitMs = FIRST_READ_WAIT_MS, traces = NO_TRACES } = options;
  const logger = options.logger ?? pino({ level: 'silent' });
  const outage = new Outage(logger);
  const errors = new ErrorFilter(config, clock, logger, outage);
  const hasLog = config.hasAccessLog && logger.isLevelEnabled('info');
  const answers = new Answers(hasLog ? new AccessLog(logger) : null, traces === NO_TRACES ? null : traces);
  const proxies = new Proxies(config.trustProxy);
  let fastLane: FastLane | null = null;
  const server = createFastify({
    ...{ config, proxies, clock, errors, answers },
    fastLane: (request, response) => fastLane?.take(request, response) ?? false,
  });
  const app = await NestFactory.create<NestFastifyApplication>(
    ApiModule.forRoot({ config, proxies, clock, logger, traces, answers, outage, firstReadWaitMs }),
    new ApiAdapter(server),
    { logger: false, bodyParser: false, abortOnError: false },
  );
  app.useGlobalFilters(errors);
  addRequestHooks(server, { config, answers });
  fastLane = app.get(FastLane);
  // From then on answers end their connections, and Fastify says so.
  server.addHook('preClose', (done) => {
    fastLane = null;
    done();
  });
  return app;
}
