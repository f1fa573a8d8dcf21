import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Clock } from '../clock';
import { errorEnvelope, toApiError } from './error-envelope';
import { CACHE_NEVER, JSON_TYPE } from './response-headers';

export type SendError = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;

/** Answers with the error's envelope; what failed inside goes to the log, under the request's id. */
export function errorSender(
  logger: Logger,
  clock: Clock,
  standardHeaders: Readonly<Record<string, string>>,
): SendError {
  return (error, request, reply) => {
    const answer = toApiError(error);
    if (answer !== error && answer.status >= 500) {
      logger.error(
        { err: error, requestId: request.id, method: request.method, path: pathOf(request) },
        'request failed',
      );
    }
    if (reply.sent) return;
    reply.removeHeader('x-cache');
    reply.removeHeader('content-encoding');
    void reply
      .code(answer.status)
      // Not every error has passed the hooks that set these.
      .headers(standardHeaders)
      .headers({
        'x-request-id': request.id,
        'content-type': JSON_TYPE,
        'cache-control': CACHE_NEVER,
        ...answer.headers,
      })
      .send(JSON.stringify(errorEnvelope(answer, request.id, clock.nowMs())));
  };
}

/** Without the query: somebody may have put a key there. */
export function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '';
}
