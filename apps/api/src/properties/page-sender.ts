import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { ApiConfig } from '../config';
import { acceptsGzip } from '../http/compression';
import { hasTag } from '../http/entity-tag';
import type { CachedBody } from '../http/cached-body';
import { JSON_TYPE, standardHeaders } from '../http/response-headers';
import type { AnsweredRequest } from '../metrics/answers';
import { CONFIG } from '../tokens';
import type { ServedSnapshot } from './served-snapshots';
import { CONDITIONAL_HEADERS, snapshotHeaders } from './snapshot-headers';

export interface Recipient {
  /** The id of the request. */
  id: string;
  headers: IncomingHttpHeaders;
  response: ServerResponse;
  /** Headers of this response; names and values alternate. Setting each would cost as much as all other headers. */
  answerHeaders?: readonly string[] | undefined;
}

/** A response from one snapshot, with a body that many responses share. */
export interface SnapshotAnswer {
  snapshot: ServedSnapshot;
  /** The body, or only its validator if the reader already has the body. */
  page: CachedBody | string;
  answerHeaders?: readonly string[];
  /** JSON members, each followed by a comma, that differ between responses; ASCII. */
  members?: string;
}

/** Sends bodies whose bytes are ready (docs/decisions/0010-the-fast-path.md). */
@Injectable()
export class PageSender {
  private readonly headers: readonly string[];
  /** Headers that all responses with one body share, until the snapshot is confirmed again or becomes stale. */
  private readonly heads = new WeakMap<CachedBody, Heads>();

  constructor(@Inject(CONFIG) config: Pick<ApiConfig, 'requireHttps'>) {
    this.headers = Object.entries({ ...standardHeaders(config), ...CONDITIONAL_HEADERS }).flat();
  }

  /** Sends without Fastify's reply, which would copy the body. */
  answer(reply: FastifyReply, { page, snapshot, members, answerHeaders }: SnapshotAnswer): void {
    const { request, raw: response } = reply;
    (request as AnsweredRequest).cache = snapshot.cache;
    // From here on Fastify does not handle the response.
    reply.hijack();
    const recipient = { id: request.id, headers: request.raw.headers, response, answerHeaders };
    if (typeof page === 'string') this.sendNotModified(recipient, page, snapshot);
    else this.send(recipient, page, snapshot, members);
  }

  /** Sends the body, or 304, without Nest and Fastify. `request_id` comes first, so that the rest needs no copy. */
  send(recipient: Recipient, body: CachedBody, snapshot: ServedSnapshot, members = ''): void {
    const { id, headers, response, answerHeaders = [] } = recipient;
    if (hasTag(headers['if-none-match'], body.etag)) {
      body.giveBack();
      this.sendNotModified(recipient, body.etag, snapshot, body.headers);
      return;
    }
    const heads = this.headsOf(body, snapshot);
    const start = `{"status":"success","request_id":"${id}",${members}`;
    const gzipped = wantsGzip(headers) ? body.gzip(start) : null;
    const head = gzipped === null ? heads.plain : heads.gzip;
    const { start: first, bytes, end } = gzipped ?? body.plain(start);
    const length = first.length + bytes.length + end.length;
    // The gzipped bytes are not in lent memory.
    if (gzipped !== null) body.giveBack();
    // On `close`, the operating system has the bytes, or the connection is gone.
    if (body.isLent)
      response.once('close', () => {
        body.giveBack();
      });
    // Node sends all parts with one system call at `end()`.
    response.cork();
    response.writeHead(200, answerHeaders.concat(head, ['x-request-id', id, 'content-length', String(length)]));
    response.write(first, 'latin1');
    if (end === '') {
      response.end(bytes);
    } else {
      response.write(bytes);
      response.end(end, 'latin1');
    }
  }

  sendNotModified(
    { id, response, answerHeaders = [] }: Recipient,
    etag: string,
    snapshot: ServedSnapshot,
    others: readonly string[] = [],
  ): void {
    response.writeHead(304, [...answerHeaders, ...this.headersOf(etag, snapshot, others), 'x-request-id', id]);
    response.end();
  }

  private headsOf(body: CachedBody, snapshot: ServedSnapshot): Heads {
    const { token, cache, confirmedAtMs } = snapshot;
    let heads = this.heads.get(body);
    if (heads?.token !== token || heads.cache !== cache || heads.confirmedAtMs !== confirmedAtMs) {
      const headers = [...this.headersOf(body.etag, snapshot, body.headers), 'content-type', JSON_TYPE];
      heads = { token, cache, confirmedAtMs, plain: headers, gzip: [...headers, 'content-encoding', 'gzip'] };
      this.heads.set(body, heads);
    }
    return heads;
  }

  private headersOf(etag: string, snapshot: ServedSnapshot, others: readonly string[]): string[] {
    return [...this.headers, ...others, ...snapshotHeaders(snapshot), 'etag', etag];
  }
}

interface Heads extends Pick<ServedSnapshot, 'token' | 'cache' | 'confirmedAtMs'> {
  plain: readonly string[];
  gzip: readonly string[];
}

export function wantsGzip(headers: IncomingHttpHeaders): boolean {
  return acceptsGzip(headers['accept-encoding']);
}
