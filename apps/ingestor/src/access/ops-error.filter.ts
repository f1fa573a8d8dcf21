import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Inject } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { LOGGER } from '../tokens';

/** Answers every error on the ops port with `{"error": "…"}`. An object that a controller throws is sent unchanged. */
@Catch()
export class OpsErrorFilter implements ExceptionFilter {
  constructor(@Inject(LOGGER) private readonly log: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const { status, body } = answerOf(error, this.log);
    void reply.status(status).send(body);
  }
}

export function answerOf(error: unknown, log: Logger): { status: number; body: object } {
  const status = statusOf(error);
  if (status >= 500 && !(error instanceof HttpException)) log.error({ err: error }, 'a request failed');
  return { status, body: bodyOf(error, status) };
}

/** Fastify's own errors, for example for a body that is not JSON, have a status but are not exceptions of Nest. */
function statusOf(error: unknown): number {
  if (error instanceof HttpException) return error.getStatus();
  if (!(error instanceof Error) || !('statusCode' in error) || typeof error.statusCode !== 'number') return 500;
  return error.statusCode >= 400 && error.statusCode < 500 ? error.statusCode : 500;
}

function bodyOf(error: unknown, status: number): object {
  if (error instanceof HttpException) {
    const response = error.getResponse();
    const isOurs = typeof response === 'object' && !('statusCode' in response);
    return isOurs ? response : { error: error.message };
  }
  if (status < 500 && error instanceof Error) return { error: error.message };
  return { error: 'an internal error: see the log of the ingestor' };
}
