import { ApiError } from '@passerelle/domain';
import fastify, {
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Server } from 'node:http';
import type { Logger } from 'pino';
import type { Clock } from '../clock';
import type { ApiConfig } from '../config';
import { clientErrorHandler, refuseConnect } from './client-errors';
import { BODY_LIMIT_BYTES } from './error-envelope';
import { KnownRoutes } from './known-routes';
import { toRequestId } from './request-id';
import { standardHeaders } from './response-headers';
import { pathOf, type SendError } from './send-error';

/** How long a request may take to arrive. */
const REQUEST_TIMEOUT_MS = 30_000;
/** A connection on which nothing moves for so long is closed; also a reader that stopped reading a dump. */
const CONNECTION_TIMEOUT_MS = 120_000;
/** Longer than the usual idle time of a proxy in front, so that it is never we who close first. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;

export interface HttpParts {
  config: Pick<ApiConfig, 'trustProxy' | 'requireHttps'>;
  logger: Logger;
  clock: Clock;
  sendError: SendError;
  /** May answer a request before it reaches its route. */
  fastLane: { take(request: FastifyRequest, reply: FastifyReply): boolean };
}

/** The HTTP server with what holds for every request, before any route is declared. */
export function createFastify({ config, logger, clock, sendError, fastLane }: HttpParts): FastifyInstance {
  const routes = new KnownRoutes();
  const options: FastifyHttpOptions<Server> = {
    // Answers are logged by the hooks below: one logger a request costs more than the rest of a page from memory.
    logger: false,
    genReqId: (request) => toRequestId(request.headers['x-request-id']),
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // Unknown members of a body are ignored; these two are no exception.
    onProtoPoisoning: 'remove',
    onConstructorPoisoning: 'remove',
    // An address is at most as long as the parser lets it be; a long id is simply not found.
    routerOptions: { maxParamLength: 64 * 1024 },
    rewriteUrl: (request) => originForm(request.url ?? '/'),
    frameworkErrors: sendError,
    clientErrorHandler: clientErrorHandler(routes, clock),
    // Without this Node answers a missing Host header by itself, with an empty body.
    http: { requireHostHeader: false },
  };
  const instance = fastify(options);
  instance.removeContentTypeParser('text/plain');
  routes.watch(instance);
  instance.setErrorHandler((error, request, reply) => {
    sendError(error, request, reply);
  });
  // What comes here was not refused by a hook: an address that cannot be decoded, or an empty identifier.
  instance.setNotFoundHandler((request, reply) => {
    sendError(routes.refusal(request.method, request.url), request, reply);
  });
  // Node would answer 417 without a body.
  instance.server.on('checkExpectation', (request, response) => instance.server.emit('request', request, response));
  instance.server.on('connect', (_request, socket) => {
    refuseConnect(socket, clock);
  });

  const headers = Object.entries(standardHeaders(config));
  const refusalOf = (request: FastifyRequest): ApiError | null => {
    if (request.is404) return routes.refusal(request.method, request.url);
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      return new ApiError('BAD_REQUEST', 'The Host header is missing.');
    }
    if (config.requireHttps && request.protocol !== 'https' && !request.url.startsWith('/health/')) {
      return new ApiError('BAD_REQUEST', 'HTTPS is required.');
    }
    return null;
  };
  instance.addHook('onRequest', (request, reply, done) => {
    const refusal = refusalOf(request);
    if (refusal === null && fastLane.take(request, reply)) return;
    for (const [name, value] of headers) reply.header(name, value);
    reply.header('x-request-id', request.id);
    if (refusal === null) done();
    else done(refusal);
  });
  if (logger.isLevelEnabled('debug')) {
    instance.addHook('onResponse', (request, reply, done) => {
      const { id: requestId, method, ip } = request;
      const durationMs = Math.round(reply.elapsedTime);
      logger.debug({ requestId, method, path: pathOf(request), ip, status: reply.statusCode, durationMs }, 'answered');
      done();
    });
  }
  return instance;
}

/** A request may name the whole address (RFC 9112, 3.2.2); routes are matched by its path. */
function originForm(url: string): string {
  if (url.startsWith('/')) return url;
  const path = /^https?:\/\/[^/?#]*(\/?.*)$/i.exec(url)?.[1];
  if (path === undefined) return url;
  return path.startsWith('/') ? path : `/${path}`;
}
