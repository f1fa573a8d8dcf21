import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import type { CachedBody } from '../http/cached-body';
import { PageSender, type Recipient } from './page-sender';
import type { ServedSnapshot } from './served-snapshots';

/** What a handler returns whose answer is a body that many answers share, from one snapshot. */
export interface SnapshotAnswer {
  snapshot: ServedSnapshot;
  /** Its bytes; or the validator by which the reader has them already. */
  page: CachedBody | string;
  /** JSON members, each with a comma behind it, that differ from answer to answer; ASCII. */
  members?: string;
}

/** Sends such bodies past Fastify's reply, which would copy them. */
@Injectable()
export class SendsPage implements NestInterceptor<SnapshotAnswer, undefined> {
  constructor(private readonly sender: PageSender) {}

  intercept(context: ExecutionContext, next: CallHandler<SnapshotAnswer>): Observable<undefined> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    return next.handle().pipe(
      map(({ page, snapshot, members }) => {
        const recipient = recipientOf(request, reply, snapshot);
        if (typeof page === 'string') this.sender.sendNotModified(recipient, page, snapshot);
        else this.sender.send(recipient, page, snapshot, members);
        return undefined;
      }),
    );
  }
}

/** The reader that asked through Fastify, which from here on has no part in the answer. */
function recipientOf(request: FastifyRequest, reply: FastifyReply, { cache }: ServedSnapshot): Recipient {
  // Not sent from here: the counters of answers read there what came from where.
  reply.header('x-cache', cache);
  reply.hijack();
  return { id: request.id, headers: request.headers, response: reply.raw };
}
