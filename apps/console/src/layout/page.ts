import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Operator } from '@passerelle/database';
import { isRoleEnough, type OperatorRole } from '@passerelle/domain';
import { type Html, html, type Content } from '@passerelle/html';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Language, languageOf } from '../language/language';
import { LIVE_PATH } from './live';
import { STYLE_PATH } from './style';

export interface Visit {
  language: Language;
  now: Date;
  /** Null when not signed in. */
  operator: Operator | null;
  /** The token in each form, so that no other site can send the form. */
  csrf: string;
  /** The URL of the page, with its query; in the answer to a form, the URL of the page with the form. */
  path: string;
}

/** The input of every page. The token binds its forms to the session. */
export function visitOf(request: FastifyRequest, reply: FastifyReply): Visit {
  return {
    language: languageOf(request),
    now: request.now ?? new Date(),
    operator: request.operator ?? null,
    csrf: reply.generateCsrf(),
    path: request.method === 'GET' ? request.url : placeOf(request.url),
  };
}

export const Visiting = createParamDecorator((_data: unknown, context: ExecutionContext): Visit => {
  const http = context.switchToHttp();
  return visitOf(http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
});

/** Whether the viewer has this role. Actions that need another role are not shown. */
export function may({ operator }: Visit, role: OperatorRole): boolean {
  return operator !== null && isRoleEnough(operator.role, role);
}

/** The hidden field that every form needs. */
export function csrfField({ csrf }: Visit): Html {
  return html`<input type="hidden" name="_csrf" value="${csrf}" />`;
}

const PLACES = [
  ['/', 'overview'],
  ['/gateways', 'gateways'],
  ['/connectors', 'connectors'],
  ['/runs', 'runs'],
  ['/exports', 'exports'],
  ['/deliveries', 'deliveries'],
  ['/notifications', 'notifications'],
  ['/problems', 'problems'],
  ['/audit', 'audit'],
  ['/operators', 'operators'],
  ['/about', 'about'],
] as const;

function placeOf(path: string): string {
  return PLACES.find(([place]) => place !== '/' && path.startsWith(`${place}/`))?.[0] ?? '/';
}

/** @param isLive the page refreshes itself; only for content that all viewers share, or for one gateway or run */
export function page(visit: Visit, title: string, body: Content, isLive = false): string {
  const { language, operator, path } = visit;
  const { texts, code } = language;
  const other = code === 'en' ? 'fr' : 'en';
  return `<!doctype html>\n${html`<html lang="${code}">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex" />
      <meta name="color-scheme" content="light dark" />
      <title>${title} · Passerelle</title>
      <link rel="stylesheet" href="${STYLE_PATH}" />
      ${isLive ? html`<script src="${LIVE_PATH}" defer></script>` : null}
    </head>
    <body>
      <a class="skip" href="#content">${texts.skip}</a>
      <header class="top">
        <div class="wide">
          <a class="brand" href="/">Passerelle</a>
          ${operator === null ? null : navigation(visit)}
          <div class="who">
            <a href="/language?to=${encodeURIComponent(path)}&amp;code=${other}" lang="${other}" hreflang="${other}"
              >${texts.otherLanguage}</a
            >
            ${operator === null ? null : signOut(visit, operator)}
          </div>
        </div>
      </header>
      <main id="content" class="wide" tabindex="-1">
        <h1>${title}</h1>
        ${body}
      </main>
    </body>
  </html>`.toString()}\n`;
}

function navigation({ language: { texts }, path }: Visit): Html {
  const [here = '/'] = path.split('?');
  const isHere = (place: string): boolean => (place === '/' ? here === '/' : here.startsWith(place));
  // A phone shows the button, and the pages only after a click on it.
  return html`<button type="button" class="menu second" popovertarget="pages">${texts.nav.menu}</button>
    <nav aria-label="${texts.nav.label}" id="pages" popover>
      ${PLACES.map(
        ([place, name]) =>
          html`<a href="${place}" ${isHere(place) ? html`aria-current="page"` : null}>${texts.nav[name]}</a>`,
      )}
    </nav>`;
}

function signOut(visit: Visit, { name, role }: Operator): Html {
  const { texts } = visit.language;
  return html`<span>${name} (${texts.roles[role]})</span>
    <form method="post" action="/sign-out">${csrfField(visit)}<button class="plain">${texts.signOut}</button></form>`;
}
