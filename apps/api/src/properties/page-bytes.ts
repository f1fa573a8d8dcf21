import type { Database } from '@passerelle/database';
import type { PageCache } from './page-cache';
import type { CurrentSnapshot } from './current-snapshot';
import type { PageQuery } from './parameters';

type LoadPage = Database['listings']['page'];

/** Pages of properties, ready to send but for the request's identifier: `withRequestId` adds it. */
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

/** A complete body: what is the same for every reader, and this reader's tail. */
export function withRequestId(head: Buffer, requestId: string): Buffer {
  const body = Buffer.allocUnsafe(head.length + requestId.length + 2);
  head.copy(body);
  body.write(`${requestId}"}`, head.length, 'latin1');
  return body;
}

function pageHead(listings: string, total: number, { page, per_page, crm, client }: PageQuery): Buffer {
  const meta = { page, per_page, total, total_pages: Math.ceil(total / per_page), crm, client };
  return Buffer.from(`{"status":"success","data":[${listings}],"meta":${JSON.stringify(meta)},"request_id":"`);
}
