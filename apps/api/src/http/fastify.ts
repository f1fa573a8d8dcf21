import { isUtf8 } from 'node:buffer';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { ApiError } from '@passerelle/domain';
import fastify, { type FastifyHttpOptions, type FastifyInstance, type FastifyRequest } from 'fastify';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Clock } from '../clock';
import type { ApiConfig } from '../config';
import { isOperator, METRICS_PATH } from '../metrics/metrics';
import { isInboundWebhook, readAsBytes } from './webhook-body';
import { ClientErrors } from './client-errors';
import { Connections } from './connections';
import { BODY_LIMIT_BYTES, NOT_UTF8 } from './error-envelope';
import { KnownRoutes } from './known-routes';
import type { Proxies } from './proxies';
import { faultOf, toRequestId } from './request-head';
import { standardHeaders } from './response-headers';
import type { Answers } from '../metrics/answers';
import type { ErrorFilter } from './error.filter';

/** Longer than a proxy usually keeps an idle connection, so that the proxy closes it first. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** How often Node checks for late requests: by default it would notice a request of 31 s only after a minute. */
const LATENESS_CHECK_MS = 2_000;
/** This timeout also closes the connection of a client that has stopped reading an export. */
const CONNECTION_TIMEOUT_MS = 120_000;

const BODYLESS: readonly string[] = ['GET', 'HEAD'];

export interface HttpOptions {
  config: Pick<ApiConfig, 'requireHttps' | 'opsToken'>;
  proxies: Proxies;
  clock: Clock;
  answers: Answers;
  errors: ErrorFilter;
  /** Tries to answer a request before Fastify; returns whether it has answered. */
  fastPath: (request: IncomingMessage, response: ServerResponse) => boolean;
}

export function createFastify({ config, proxies, clock, errors, answers, fastPath }: HttpOptions): FastifyInstance {
  const routes = new KnownRoutes(METRICS_PATH);
  const connections = new Connections();
  const clientErrors = new ClientErrors({
    ...{ routes, clock, answers, errors, connections },
    ...{ addresses: proxies.remote, headers: standardHeaders(config) },
  });
  const options: FastifyHttpOptions<Server> = {
    // A hook logs the responses: a logger for each request costs more than all other work for a cached page.
    logger: false,
    genReqId: (request) => toRequestId(request.headers['x-request-id']),
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: proxies.trusts,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // Ignores `__proto__` and `constructor` like other unknown members.
    onProtoPoisoning: 'remove',
    onConstructorPoisoning: 'remove',
    // Node's parser limits the length of a URL; a long id is simply not found.
    routerOptions: { maxParamLength: 64 * 1024 },
    rewriteUrl: (request) => originForm(request.url ?? '/'),
    frameworkErrors: (error, request, reply) => {
      answers.watch(request, reply);
      errors.send(error, request, reply);
    },
    clientErrorHandler: (error, socket) => {
      clientErrors.refuse(error, socket);
    },
    serverFactory: (handle) =>
      serverWith(connections, (request, response) => {
        if (!fastPath(request, response)) handle(request, response);
      }),
  };
  const instance = fastify(options);
  instance.removeContentTypeParser(['text/plain', 'application/json']);
  const parseJson = instance.getDefaultJsonParser('remove', 'remove');
  // Reads bytes, because text in another encoding would be stored with replacement characters.
  instance.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (isInboundWebhook(request.url)) done(null, body);
    // Many clients send a content type with every request, even without a body.
    else if (body.length === 0 && request.method === 'DELETE') done(null, undefined);
    else if (isUtf8(body)) void parseJson(request, body.toString(), done);
    else done(new ApiError('BAD_REQUEST', NOT_UTF8));
  });
  routes.watch(instance);
  instance.setErrorHandler((error, request, reply) => {
    errors.send(error, request, reply);
  });
  // Refuses requests that pass the hook below: with a URL that cannot be decoded, or an empty identifier.
  instance.setNotFoundHandler((request, reply) => {
    errors.send(routes.refusal(request.method, request.url), request, reply);
  });
  // Without this listener Node would answer 417 without a body.
  instance.server.on('checkExpectation', (request, response) => instance.server.emit('request', request, response));
  instance.server.on('connect', (_request, socket) => {
    clientErrors.refuseConnect(socket);
  });
  proxies.remote.watch(instance.server);

  const refusalOf = (request: FastifyRequest): ApiError | null => {
    // Fastify creates an object on each access to `routeOptions`, so the cheaper checks come first.
    if (request.is404 || (!request.url.startsWith('/v1/') && request.routeOptions.url === METRICS_PATH)) {
      // Runs for every unknown path, so that not even timing can reveal the hidden route.
      const isForOperator = isOperator(request, config) && !request.is404;
      return isForOperator ? null : routes.refusal(request.method, request.url);
    }
    // `*` is not a path; the router would take it for the root.
    if (!request.url.startsWith('/')) return routes.refusal(request.method, request.url);
    const fault = faultOf(request.raw);
    if (fault !== null) return new ApiError('BAD_REQUEST', fault);
    const isTooOpen = config.requireHttps && !proxies.isSecure(request.raw) && !request.url.startsWith('/health/');
    return isTooOpen ? new ApiError('BAD_REQUEST', 'HTTPS is required.') : null;
  };
  // One hook for everything, because each hook takes time in every response.
  instance.addHook('onRequest', function beginAnswer(request, reply, done) {
    answers.watch(request, reply);
    const refusal = refusalOf(request);
    if (refusal !== null) {
      done(refusal);
      return;
    }
    if (isInboundWebhook(request.url)) readAsBytes(request);
    done();
  });
  // Only requests with a body are registered.
  instance.addHook('onRoute', (route) => {
    if (BODYLESS.includes(String(route.method))) return;
    route.preParsing = function watchBody(request, reply, _body, done) {
      clientErrors.watch(request, reply);
      done();
    };
  });
  return instance;
}

function serverWith(connections: Connections, answer: RequestListener): Server {
  const server = createServer(
    {
      // By default Node itself answers a request without a Host header, with an empty body.
      requireHostHeader: false,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      connectionsCheckingInterval: LATENESS_CHECK_MS,
    },
    (request, response) => {
      if (connections.begin(request.socket, response)) answer(request, response);
    },
  );
  // Node would write the 100 into an earlier response that is still being sent, so the 100 waits.
  server.on('checkContinue', (request, response) => {
    connections.beginInTurn(request.socket, response, () => {
      response.writeContinue();
      answer(request, response);
    });
  });
  return server.setTimeout(CONNECTION_TIMEOUT_MS);
}

/** A request may contain the whole URL (RFC 9112, 3.2.2); the router needs the path. */
function originForm(url: string): string {
  if (url.startsWith('/')) return url;
  const origin = /^https?:\/\/[^/?#]*/i.exec(url)?.[0];
  if (origin === undefined) return url;
  const path = url.slice(origin.length);
  return path.startsWith('/') ? path : `/${path}`;
}

/** Nest on our own server. */
export class ApiAdapter extends FastifyAdapter {
  /** There is no middleware: running it would slow down every response. */
  override init(): Promise<void> {
    return Promise.resolve();
  }

  /** Skips a response sent without Fastify's reply: Fastify would create an error, and log it nowhere. */
  override reply(...answer: Parameters<FastifyAdapter['reply']>): ReturnType<FastifyAdapter['reply']> {
    const [response] = answer;
    return 'sent' in response && response.sent ? response : super.reply(...answer);
  }

  // The server has its own handlers for errors outside a controller: Nest's would lose the errors' codes.

  override setErrorHandler(): FastifyInstance {
    return this.instance;
  }

  override setNotFoundHandler(): FastifyInstance {
    return this.instance;
  }
}
