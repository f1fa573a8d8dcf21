import type { Readable } from 'node:stream';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { mergeMap, type Observable } from 'rxjs';
import { hasTag } from './entity-tag';

/** The result of a handler whose response is bytes or a stream. */
export interface Body {
  /** Headers of every response, including 304. */
  headers: Readonly<Record<string, string>>;
  status?: number;
  /** Opens the content for a reader that needs it; absent without content. Null if the reader has disconnected. */
  open?: (request: FastifyRequest, reply: FastifyReply) => Promise<Content | null>;
}

export interface Content {
  headers: Readonly<Record<string, string>>;
  body: Readable | string;
  status?: number;
}

/** Sends bytes and streams, or 304 to a reader that has the version of the `etag`. */
@Injectable()
export class SendsBody implements NestInterceptor<Body, Content['body'] | undefined> {
  intercept(context: ExecutionContext, next: CallHandler<Body>): Observable<Content['body'] | undefined> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    return next.handle().pipe(mergeMap((body) => contentOf(body, request, reply)));
  }
}

async function contentOf(
  { headers, status = 200, open }: Body,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Content['body'] | undefined> {
  reply.code(status).headers(headers);
  if (isKnown(request, headers)) {
    reply.code(304);
    return undefined;
  }
  if (open === undefined) return undefined;
  const content = await open(request, reply);
  if (content === null) {
    reply.hijack();
    return undefined;
  }
  reply.code(content.status ?? status).headers(content.headers);
  return content.body;
}

/** `If-Modified-Since` counts only without `If-None-Match` (RFC 9110, section 13.2.2). */
function isKnown({ headers: requested }: FastifyRequest, headers: Body['headers']): boolean {
  const { etag, 'last-modified': modified } = headers;
  if (requested['if-none-match'] !== undefined) return etag !== undefined && hasTag(requested['if-none-match'], etag);
  return modified !== undefined && Date.parse(modified) <= Date.parse(requested['if-modified-since'] ?? '');
}
