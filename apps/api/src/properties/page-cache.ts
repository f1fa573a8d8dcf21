import { LRUCache } from 'lru-cache';
import type { CachedBody } from '../http/cached-body';

/**
 * Pages as bytes, bounded by their size: the least recently used leave first. Readers that ask for a page while it is made
 * share it.
 *
 * Where few pages are asked for again, one is kept when it is made for the second time: only a full collection of garbage frees what
 * was kept.
 */
export class PageCache {
  private readonly pages: LRUCache<string, CachedBody>;
  // `fetch` of the library would fail for the readers of a page that is evicted while it is made.
  private readonly loading = new Map<string, Promise<CachedBody>>();

  /** Names of pages that were made once; null where each is kept at once. */
  private readonly madeOnce: LRUCache<string, true> | null;

  /** @param mostMadeOnce of how many pages it is remembered that they were made once, and not kept; 0 keeps each at once */
  constructor(maxBytes: number, mostMadeOnce = 0) {
    this.madeOnce = mostMadeOnce === 0 ? null : new LRUCache({ max: mostMadeOnce });
    this.pages = new LRUCache({
      maxSize: maxBytes,
      // One page must not evict all the others.
      maxEntrySize: Math.floor(maxBytes / 4),
      sizeCalculation: (page) => page.size,
    });
  }

  get(name: string): CachedBody | undefined {
    return this.pages.get(name);
  }

  load(name: string, make: () => Promise<CachedBody>): Promise<CachedBody> {
    const loading = this.loading.get(name);
    if (loading !== undefined) return loading;
    const page = make()
      .then((made) => {
        if (this.isKept(name)) this.pages.set(name, made);
        return made;
      })
      .finally(() => this.loading.delete(name));
    this.loading.set(name, page);
    return page;
  }

  private isKept(name: string): boolean {
    if (this.madeOnce === null || this.madeOnce.delete(name)) return true;
    this.madeOnce.set(name, true);
    return false;
  }

  /** Counts a page anew that has grown. */
  recount(name: string, page: CachedBody): void {
    // A value that is set again is not counted again.
    if (this.pages.peek(name) === page && this.pages.delete(name)) this.pages.set(name, page);
  }
}
