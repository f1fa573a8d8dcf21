import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Inject } from '@nestjs/common';
import { isDatabaseAway, PublishRefused } from '@passerelle/database';
import { html } from '@passerelle/html';
import { Refused } from '@passerelle/operations';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Texts } from '../language/en';
import { notice, said } from '../layout/elements';
import { page, visitOf } from '../layout/page';
import { LOGGER } from '../tokens';
import { NotSignedIn } from './operator.guard';

type Fault = keyof Texts['errors'] & (number | 'forged');

@Catch()
export class ConsoleErrorFilter implements ExceptionFilter {
  constructor(@Inject(LOGGER) private readonly log: Logger) {}

  async catch(error: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    if (error instanceof NotSignedIn) {
      const to = request.method === 'GET' ? `?to=${encodeURIComponent(request.url)}` : '';
      await reply.redirect(`/sign-in${to === '?to=%2F' ? '' : to}`, 303);
      return;
    }
    const visit = visitOf(request, reply);
    const { errors } = visit.language.texts;
    const isRefused = error instanceof Refused || error instanceof PublishRefused;
    const fault = isRefused ? null : this.faultOf(error, request);
    const sentence = fault === null ? said(visit, (error as Error).message) : errors[fault];
    const status = fault === null ? 409 : fault === 'forged' ? 403 : fault;
    const body = html`${notice('bad', sentence)}
      <p><a href="/">${errors.back}</a></p>`;
    await reply
      .status(status)
      .type('text/html; charset=utf-8')
      .send(page(visit, errors.title, body));
  }

  /** Errors of Fastify, such as a form that is too large, carry their status and are not exceptions of Nest. */
  private faultOf(error: unknown, { operator }: FastifyRequest): Fault {
    if (isDatabaseAway(error)) return 503;
    const status = statusOf(error);
    if (status >= 500) this.log.error({ err: error }, 'a request failed');
    // For a signed-in operator the guard caused the 403, else the earlier check of the session's token.
    if (status === 403) return operator === undefined ? 'forged' : 403;
    if (status === 404) return 404;
    return status >= 500 ? 500 : 400;
  }
}

/** PostgreSQL accepts no text with a NUL character. */
const INVALID_TEXT = '22021';

function statusOf(error: unknown): number {
  if (error instanceof Error && 'code' in error && error.code === INVALID_TEXT) return 400;
  if (error instanceof HttpException) return error.getStatus();
  return error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : 500;
}
