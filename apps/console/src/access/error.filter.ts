import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Inject } from '@nestjs/common';
import { isDatabaseAway, PublishRefused } from '@passerelle/database';
import { type Html, html } from '@passerelle/html';
import { Refused } from '@passerelle/operations';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Texts } from '../language/en';
import { notice, said, section } from '../layout/elements';
import { page, type Visit, visitOf } from '../layout/page';
import { LOGGER } from '../tokens';
import { type Fields, reasonIn } from './form';
import { NotSignedIn } from './operator.guard';
import { PageRefusal } from './page-refusal';

type Fault = keyof Texts['errors'] & (number | 'forged');

@Catch()
export class ConsoleErrorFilter implements ExceptionFilter {
  constructor(@Inject(LOGGER) private readonly log: Logger) {}

  async catch(error: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const visit = visitOf(request, reply);
    const { errors, risk, signIn } = visit.language.texts;
    if (error instanceof NotSignedIn) {
      const kept = request.method === 'GET' ? '' : reasonIn(request.body as Fields | undefined);
      if (kept === '') {
        await reply.redirect(signInPath(request.method === 'GET' ? request.url : '/'), 303);
        return;
      }
      const address = signInPath(formPageOf(request.url));
      const body = html`${notice('bad', risk.signedOut)} ${keptText(visit, kept)}
        <p><a class="button" href="${address}">${signIn}</a></p>`;
      await reply
        .status(401)
        .type(HTML)
        .send(page(visit, errors.title, body));
      return;
    }
    const isRefused = error instanceof Refused || error instanceof PublishRefused;
    const fault = isRefused ? null : this.faultOf(error, request);
    const sentence =
      error instanceof PageRefusal
        ? error.message
        : fault === null
          ? said(visit, (error as Error).message)
          : errors[fault];
    const status =
      error instanceof PageRefusal ? error.status : fault === null ? 409 : fault === 'forged' ? 403 : fault;
    // Another site may send a form with any text, which this page must not show as the operator's.
    const isOwn = fault !== 'forged' || request.headers['sec-fetch-site'] === 'same-origin';
    const kept = request.method === 'POST' && isOwn ? reasonIn(request.body as Fields | undefined) : '';
    const body = html`${notice('bad', sentence)} ${kept === '' ? null : keptText(visit, kept)}
      <p><a href="/">${errors.back}</a></p>`;
    await reply
      .status(status)
      .type(HTML)
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

const HTML = 'text/html; charset=utf-8';

function signInPath(to: string): string {
  return to === '/' ? '/sign-in' : `/sign-in?to=${encodeURIComponent(to)}`;
}

/** The page whose form is sent to this path: forms are sent to a path below their page. */
function formPageOf(path: string): string {
  return path.split('?')[0]!.replace(/\/[^/]*$/, '') || '/';
}

/** Shows the text that the operator typed, because the error page replaces the form. */
function keptText({ language: { texts } }: Visit, text: string): Html {
  return section(texts.risk.kept, html`<blockquote class="typed">${text}</blockquote>`);
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
