import type { OutgoingHttpHeaders } from 'node:http';
import type { Database } from '@passerelle/database';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PageCache } from './page-cache';
import type { CurrentSnapshot } from './current-snapshot';
import type { PageQuery } from './parameters';

type LoadPage = Database['listings']['page'];

/** Pages of properties, ready to send but for the request's identifier: `sendPage` adds it. */
export class Pages {
  constructor(
    private readonly loadPage: LoadPage,
    private readonly cache: PageCache,
  ) {}

  /** The bytes of a page up to where the request's identifier goes. */
  of(snapshot: CurrentSnapshot, query: PageQuery): Buffer | Promise<Buffer> {
    const offset = (query.page - 1) * query.per_page;
    if (offset >= snapshot.total) return pageHead('', snapshot.total, query);
    const name = `${snapshot.id}/${query.format}/${query.per_page}/${query.page}`;
    return this.cache.get(name) ?? this.cache.load(name, () => this.make(snapshot, query, offset));
  }

  private async make(snapshot: CurrentSnapshot, query: PageQuery, offset: number): Promise<Buffer> {
    const listings = await this.loadPage(snapshot.id, query.format, offset, query.per_page);
    if (listings === '') throw new Error(`snapshot ${snapshot.id} is no longer there`);
    return pageHead(listings, snapshot.total, query);
  }
}

/**
 * Sends a page: what is the same for every reader, and then this reader's tail. The two leave in one write, side by side;
 * joining them would copy the whole page for each reader, which costs a quarter of the throughput.
 */
export function sendPage(request: FastifyRequest, reply: FastifyReply, head: Buffer): void {
  const tail = `${request.id}"}`;
  const headers = reply.header('content-length', head.length + tail.length).getHeaders();
  reply.hijack();
  reply.raw.writeHead(200, headers as OutgoingHttpHeaders);
  reply.raw.write(head);
  reply.raw.end(tail, 'latin1');
}

function pageHead(listings: string, total: number, { page, per_page, crm, client }: PageQuery): Buffer {
  const meta = { page, per_page, total, total_pages: Math.ceil(total / per_page), crm, client };
  return Buffer.from(`{"status":"success","data":[${listings}],"meta":${JSON.stringify(meta)},"request_id":"`);
}
