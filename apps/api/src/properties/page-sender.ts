import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiConfig } from '../config';
import { acceptsGzip } from '../http/accepts-gzip';
import { hasTag } from '../http/entity-tag';
import type { KeptBody } from '../http/kept-body';
import { JSON_TYPE, standardHeaders } from '../http/response-headers';
import { CONFIG } from '../tokens';
import type { ServedSnapshot } from './served-snapshots';
import { CONDITIONAL_HEADERS, snapshotHeaders } from './snapshot-headers';

/** Sends bodies whose bytes are ready (docs/decisions/0010-the-fast-lane.md). */
@Injectable()
export class PageSender {
  private readonly headers: readonly string[];
  /** The headers that answers with one body share; they change when its snapshot is confirmed again or grows stale. */
  private readonly common = new WeakMap<KeptBody, CommonHeaders>();

  constructor(@Inject(CONFIG) config: Pick<ApiConfig, 'requireHttps'>) {
    this.headers = Object.entries({ ...standardHeaders(config), ...CONDITIONAL_HEADERS }).flat();
  }

  /**
   * Sends a body past Nest and Fastify, or says that the reader has it. `request_id` comes first, so that the rest is sent
   * as it is, without a copy; Node sends its first write together with the headers. A list of headers spares Node an object.
   *
   * @param members JSON members, each with a comma behind it, that differ from answer to answer; ASCII
   */
  send(request: FastifyRequest, reply: FastifyReply, body: KeptBody, snapshot: ServedSnapshot, members = ''): void {
    if (hasTag(request.headers['if-none-match'], body.etag)) {
      this.sendNotModified(request, reply, body.etag, snapshot, body.headers);
      return;
    }
    hijack(reply, snapshot);
    const response = reply.raw;
    const headers = [...this.commonHeaders(body, snapshot), 'x-request-id', request.id, 'content-type', JSON_TYPE];
    const start = `{"status":"success","request_id":"${request.id}",${members}`;
    const gzipped = wantsGzip(request) ? body.gzip(start) : null;
    if (gzipped === null) {
      headers.push('content-length', String(start.length + body.plain.length));
      response.writeHead(200, headers);
      response.write(start, 'latin1');
      response.end(body.plain);
      return;
    }
    const [head, stream, tail] = gzipped;
    headers.push('content-encoding', 'gzip', 'content-length', String(head.length + stream.length + tail.length));
    response.writeHead(200, headers);
    response.write(head);
    response.write(stream);
    response.end(tail);
  }

  /** Says that the reader has it: the same headers and no body. */
  sendNotModified(
    request: FastifyRequest,
    reply: FastifyReply,
    etag: string,
    snapshot: ServedSnapshot,
    others: readonly string[] = [],
  ): void {
    hijack(reply, snapshot);
    reply.raw.writeHead(304, [...this.headersOf(etag, snapshot, others), 'x-request-id', request.id]);
    reply.raw.end();
  }

  private commonHeaders(body: KeptBody, snapshot: ServedSnapshot): readonly string[] {
    const { id, cache, confirmedAtMs } = snapshot;
    let common = this.common.get(body);
    if (common?.id !== id || common.cache !== cache || common.confirmedAtMs !== confirmedAtMs) {
      common = { id, cache, confirmedAtMs, headers: this.headersOf(body.etag, snapshot, body.headers) };
      this.common.set(body, common);
    }
    return common.headers;
  }

  private headersOf(etag: string, snapshot: ServedSnapshot, others: readonly string[]): string[] {
    return [...this.headers, ...others, ...snapshotHeaders(snapshot), 'etag', etag];
  }
}

/** The header is not sent from here: it tells whoever counts the answer what came from where. */
function hijack(reply: FastifyReply, { cache }: ServedSnapshot): void {
  reply.header('x-cache', cache);
  reply.hijack();
}

interface CommonHeaders extends Pick<ServedSnapshot, 'id' | 'cache' | 'confirmedAtMs'> {
  headers: readonly string[];
}

export function wantsGzip({ headers }: FastifyRequest): boolean {
  return acceptsGzip(headers['accept-encoding']);
}
