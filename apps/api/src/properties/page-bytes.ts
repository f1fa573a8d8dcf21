import type { Database } from '@passerelle/database';
import type { CurrentSnapshot } from './current-snapshot';
import type { PageCache } from './page-cache';
import type { PageQuery } from './parameters';

type LoadPage = Database['listings']['page'];

/** Pages of properties as bytes: the whole body but for its start, which differs with each request. */
export class Pages {
  constructor(
    private readonly loadPage: LoadPage,
    private readonly cache: PageCache,
  ) {}

  /** A page that is at hand, if it is. */
  remembered(snapshot: CurrentSnapshot, query: PageQuery): Buffer | undefined {
    return this.cache.get(nameOf(snapshot, query));
  }

  async load(snapshot: CurrentSnapshot, query: PageQuery): Promise<Buffer> {
    const offset = (query.page - 1) * query.per_page;
    if (offset >= snapshot.total) return pageBytes('', snapshot.total, query);
    const name = nameOf(snapshot, query);
    return this.cache.get(name) ?? this.cache.load(name, () => this.make(snapshot, query, offset));
  }

  private async make(snapshot: CurrentSnapshot, query: PageQuery, offset: number): Promise<Buffer> {
    const listings = await this.loadPage(snapshot.id, query.format, offset, query.per_page);
    if (listings === '') throw new Error(`snapshot ${snapshot.id} is no longer there`);
    return pageBytes(listings, snapshot.total, query);
  }
}

function nameOf(snapshot: CurrentSnapshot, { format, page, per_page }: PageQuery): string {
  return `${snapshot.id}/${format}/${per_page}/${page}`;
}

function pageBytes(listings: string, total: number, { page, per_page, crm, client }: PageQuery): Buffer {
  const meta = { page, per_page, total, total_pages: Math.ceil(total / per_page), crm, client };
  return Buffer.from(`"data":[${listings}],"meta":${JSON.stringify(meta)}}`);
}
