import { Injectable } from '@nestjs/common';
import { ServedListings } from '@passerelle/database';
import { AnswerMemory } from '../http/answer-memory';
import { digestOf, hasTag, weakTag } from '../http/entity-tag';
import { CachedBody } from '../http/cached-body';
import { PageCache } from './page-cache';
import { pageLinks } from './page-links';
import type { PageQuery } from './parameters';
import type { ServedSnapshot } from './served-snapshots';

/** Reusable memory for some forty pages that are sent at the same time; further pages get new memory. */
const FREE_BYTES = 8 * 1024 * 1024;
/** Large steps, because a page keeps its memory while a slow reader receives it. */
const STEP_BYTES = 64 * 1024;

/** `per_page` in `meta` for a list of chosen properties. */
const CHOSEN_PER_PAGE = 200;

/** Pages of properties as bytes: everything in the body after `request_id`, which differs with each request. */
@Injectable()
export class Pages {
  readonly figures = { hits: 0, misses: 0 };
  /** The memory of pages that are not kept in the cache. */
  private readonly memory = new AnswerMemory({ mostFreeBytes: FREE_BYTES, stepBytes: STEP_BYTES });

  constructor(
    private readonly listings: ServedListings,
    private readonly cache: PageCache,
  ) {}

  /** The page, if it is cached. The code that sends it counts the hit. */
  cached(snapshot: ServedSnapshot, query: PageQuery): CachedBody | undefined {
    return this.cache.get(nameOf(snapshot, query));
  }

  /** @param ifNoneMatch if the reader already has the page, it is not made, and only its validator is returned */
  async load(snapshot: ServedSnapshot, query: PageQuery, ifNoneMatch?: string): Promise<CachedBody> {
    const offset = (query.page - 1) * query.per_page;
    if (offset >= snapshot.total)
      return pageOf(Buffer.from(BEFORE + afterOf(metaOf(snapshot, query))), snapshot, query);
    const name = nameOf(snapshot, query);
    const cached = this.cache.get(name);
    if (cached !== undefined) {
      this.figures.hits += 1;
      return cached;
    }
    if (hasTag(ifNoneMatch, tagOf(snapshot, query))) return pageOf(NOTHING, snapshot, query);
    this.figures.misses += 1;
    return this.cache.load(name, () => this.make(snapshot, query, offset));
  }

  async loadChosen(snapshot: ServedSnapshot, query: PageQuery, ids: readonly string[]): Promise<CachedBody> {
    const texts = await this.listings.byIds(snapshot, query.format, ids);
    const { crm, client, format } = query;
    const total_pages = Math.min(texts.length, 1);
    const meta = { page: 1, per_page: CHOSEN_PER_PAGE, total: texts.length, total_pages, crm, client };
    const body = Buffer.from(BEFORE + texts.join(',') + afterOf(meta));
    return new CachedBody(body, [], weakTag(snapshot.token, format, 'ids', digestOf(ids.join())));
  }

  async prepareGzip(page: CachedBody, snapshot: ServedSnapshot, query: PageQuery): Promise<void> {
    if (page.isReadyForGzip) return;
    await page.prepareGzip();
    this.cache.recount(nameOf(snapshot, query), page);
  }

  private async make(snapshot: ServedSnapshot, query: PageQuery, offset: number): Promise<CachedBody> {
    const frame = { before: BEFORE, after: afterOf(metaOf(snapshot, query)) };
    const form = { frame, allocate: (bytes: number) => this.memory.take(bytes) };
    const body = await this.listings.page(snapshot, query.format, offset, query.per_page, form);
    if (body === null) throw new Error(`snapshot ${snapshot.id} is no longer there`);
    return pageOf(body, snapshot, query, this.memory);
  }
}

/** The last cache name of each query, because a new string would have to be hashed again. */
const names = new WeakMap<PageQuery, { token: string; name: string }>();

function nameOf({ gatewayId, token }: ServedSnapshot, query: PageQuery): string {
  const last = names.get(query);
  if (last?.token === token) return last.name;
  const { format, page, per_page } = query;
  const name = `${gatewayId}/${token}/${format}/${per_page}/${page}`;
  names.set(query, { token, name });
  return name;
}

function pageOf(body: Buffer, snapshot: ServedSnapshot, query: PageQuery, lender?: AnswerMemory): CachedBody {
  return new CachedBody(body, ['link', pageLinks(snapshot, query)], tagOf(snapshot, query), lender);
}

function tagOf({ token }: ServedSnapshot, { page, per_page, format }: PageQuery): string {
  return weakTag(token, format, per_page, page);
}

function metaOf({ total }: ServedSnapshot, { page, per_page, crm, client }: PageQuery): object {
  return { page, per_page, total, total_pages: Math.ceil(total / per_page), crm, client };
}

const NOTHING = Buffer.alloc(0);
const BEFORE = '"data":[';

function afterOf(meta: object): string {
  return `],"meta":${JSON.stringify(meta)}}`;
}
