import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Clock } from '../clock';
import type { ApiConfig } from '../config';
import type { Outage } from '../metrics/outage';
import { isInboundWebhook } from './webhook-body';
import { errorEnvelope, toApiError, toWebhookError } from './error-envelope';
import { shownPathOf } from '../metrics/access-log';
import { CACHE_NEVER, JSON_TYPE, standardHeaders } from './response-headers';

/** Answers every error with the envelope, both in Nest and in Fastify before a route is found. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly standardHeaders: Readonly<Record<string, string>>;
  private readonly answered = new WeakSet<FastifyReply>();

  constructor(
    config: Pick<ApiConfig, 'requireHttps'>,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly outage: Outage,
  ) {
    this.standardHeaders = standardHeaders(config);
  }

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.send(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }

  /** Whether an error was already chosen as the response, even if the response is still being sent. */
  hasAnswered(reply: FastifyReply): boolean {
    return reply.sent || this.answered.has(reply);
  }

  /** Sends the error's envelope. Internal errors are logged under the request's id; a disconnected reader is not an error. */
  send(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const answer = isInboundWebhook(request.url) ? toWebhookError(error) : toApiError(error);
    if (answer !== error && answer.status >= 500 && !isReaderGone(error, request) && !this.outage.covers(error)) {
      const { id: requestId, method } = request;
      this.logger.error({ err: error, requestId, method, path: shownPathOf(request) }, 'request failed');
    }
    if (reply.sent) return;
    this.answered.add(reply);
    reply.removeHeader('x-cache');
    reply.removeHeader('content-encoding');
    // Fastify closes the connection on a large body, and a client that is still sending it would miss the response.
    reply.removeHeader('connection');
    void reply
      .code(answer.status)
      // Some errors occur before the hooks that set these headers.
      .headers(this.standardHeaders)
      .headers({
        'x-request-id': request.id,
        'content-type': JSON_TYPE,
        'cache-control': CACHE_NEVER,
        ...answer.headers,
      })
      .send(JSON.stringify(errorEnvelope(answer, request.id, this.clock.nowMs())));
  }
}

function isReaderGone(error: unknown, { raw }: FastifyRequest): boolean {
  if (!raw.socket.destroyed || typeof error !== 'object' || error === null || !('code' in error)) return false;
  return ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR'].includes(String(error.code));
}
