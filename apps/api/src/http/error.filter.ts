import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SendError } from './send-error';

/** Whatever is thrown, before, in or after a controller, leaves as the envelope. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly sendError: SendError) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.sendError(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }
}
