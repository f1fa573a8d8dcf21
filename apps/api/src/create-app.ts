import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { RefusedWrites } from '@passerelle/database';
import { NO_TRACES, type Traces } from '@passerelle/traces';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { ApiModule } from './api.module';
import { type Clock, systemClock } from './clock';
import type { ApiConfig } from './config';
import type { Documents } from './discovery/documents';
import { toEncoded } from './http/compression';
import { standardHeaders } from './http/response-headers';
import { AccessLog, type OpenLog } from './metrics/access-log';
import { ApiAdapter, createFastify } from './http/fastify';
import { ErrorFilter } from './http/error.filter';
import { Proxies } from './http/proxies';
import { Answers } from './metrics/answers';
import { Outage } from './metrics/outage';
import { FastPath } from './fast-path/fast-path';

export interface AppOptions {
  config: ApiConfig;
  documents: Documents;
  clock?: Clock;
  /** The log; if absent, nothing is logged. */
  log?: OpenLog;
  hasFastPath?: boolean;
  traces?: Traces;
  firstReadWaitMs?: number;
}

const FIRST_READ_WAIT_MS = 5_000;

/** The API, ready to listen. @throws DatabaseUnreachable, DatabaseNotMigrated */
export async function createApp(options: AppOptions): Promise<NestFastifyApplication> {
  const { config, documents, clock = systemClock, firstReadWaitMs = FIRST_READ_WAIT_MS, traces = NO_TRACES } = options;
  const logger = options.log?.logger ?? pino({ level: 'silent' });
  const outage = new Outage(logger);
  const errors = new ErrorFilter(config, clock, logger, outage);
  const lines = config.hasAccessLog && logger.isLevelEnabled('info') ? options.log?.answers : undefined;
  const accessLog = lines === undefined ? null : new AccessLog(logger, lines);
  const answers = new Answers(accessLog, traces === NO_TRACES ? null : traces);
  const proxies = new Proxies(config.trustProxy);
  let fastPath: FastPath | null = null;
  const server = createFastify({
    ...{ config, proxies, clock, errors, answers },
    fastPath: (request, response) => fastPath?.tryAnswer(request, response) ?? false,
  });
  const app = await NestFactory.create<NestFastifyApplication>(
    ApiModule.forRoot({ config, documents, proxies, clock, logger, traces, answers, outage, errors, firstReadWaitMs }),
    new ApiAdapter(server),
    { logger: false, bodyParser: false, abortOnError: false },
  );
  app.get(RefusedWrites, { strict: false }).listen((error) => outage.covers(error));
  addHeaders(server, config);
  if (options.hasFastPath !== false) fastPath = app.get(FastPath);
  // After this hook every response needs `Connection: close`. Only Fastify sets this header, so the fast path stops.
  server.addHook('preClose', (done) => {
    fastPath = null;
    done();
  });
  return app;
}

function addHeaders(server: FastifyInstance, config: ApiConfig): void {
  const headers = Object.entries(standardHeaders(config));
  // In `onSend`, because pages from memory are sent without Fastify, and get these headers elsewhere.
  server.addHook('onSend', function setHeaders(request, reply, payload, done) {
    for (const [name, value] of headers) if (!reply.hasHeader(name)) reply.header(name, value);
    reply.header('x-request-id', request.id);
    done(null, payload);
  });
  server.addHook('onSend', toEncoded);
}
