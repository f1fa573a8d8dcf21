import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { JSON_TYPE } from './response-headers';

/** The result of a handler: the members of the body between `status` and `request_id`. */
export type Members = Readonly<Record<string, unknown>>;

/** A value that is already JSON text, and is sent unchanged. */
export class StoredJson {
  constructor(readonly text: string) {}
}

@Injectable()
export class SuccessEnvelope implements NestInterceptor<Members, string> {
  intercept(context: ExecutionContext, next: CallHandler<Members>): Observable<string> {
    const http = context.switchToHttp();
    const { id } = http.getRequest<FastifyRequest>();
    http.getResponse<FastifyReply>().header('content-type', JSON_TYPE);
    return next.handle().pipe(map((members) => successBody(members, id)));
  }
}

function successBody(members: Members, requestId: string): string {
  const texts = Object.entries(members).map(([name, value]) => `"${name}":${toJson(value)},`);
  return `{"status":"success",${texts.join('')}"request_id":"${requestId}"}`;
}

function toJson(value: unknown): string {
  return value instanceof StoredJson ? value.text : JSON.stringify(value);
}
