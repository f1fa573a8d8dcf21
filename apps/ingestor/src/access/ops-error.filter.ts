import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';

/** Whatever goes wrong on the ops port leaves as `{"error": "…"}`; a controller's own object leaves as it is. */
@Catch()
export class OpsErrorFilter implements ExceptionFilter {
  constructor(private readonly log: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const status = statusOf(error);
    if (status >= 500 && !(error instanceof HttpException)) this.log.error({ err: error }, 'a request failed');
    void reply.status(status).send(bodyOf(error, status));
  }
}

/** The framework's own refusals, of a body that is no JSON for instance, carry their status without being exceptions of Nest. */
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
