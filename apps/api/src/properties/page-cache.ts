import { LRUCache } from 'lru-cache';
import type { CachedBody } from '../http/cached-body';

/**
 * Pages as bytes, bounded by their size: the least recently used leave first. Readers that ask for a page while it is made
 * share it.
 */
export class PageCache {
  private readonly pages: LRUCache<string, CachedBody>;
  // `fetch` of the library would fail for the readers of a page that is evicted while it is made.
  private readonly loading = new Map<string, Promise<CachedBody>>();

  constructor(maxBytes: number) {
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
        this.pages.set(name, made);
        return made;
      })
      .finally(() => this.loading.delete(name));
    this.loading.set(name, page);
    return page;
  }

  /** Counts a page anew that has grown. */
  recount(name: string, page: CachedBody): void {
    // A value that is set again is not counted again.
    if (this.pages.peek(name) === page && this.pages.delete(name)) this.pages.set(name, page);
  }
}
