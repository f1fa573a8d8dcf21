import { LRUCache } from 'lru-cache';
import type { CachedBody } from '../http/cached-body';

/**
 * As many as there is room for pages of 10 listings, and four times as many as for pages of 50. Pages that are read in turn, and fit, are kept
 * from the second turn on, also in a cache that is full of pages which nobody reads any more.
 */
const MOST_MADE_ONCE = 2_000;
/** One page must not evict all the others. */
const LARGEST_SHARE = 1 / 4;

/**
 * Pages as bytes, bounded by their size: the least recently used leave first. Readers that ask for a page while it is made
 * share it.
 *
 * Once it is full, a page is kept only when it is soon made for the second time. What leaves the cache is freed by a full collection of
 * garbage alone: where each new page pushed another out, readers waited for those collections.
 */
export class PageCache {
  private readonly pages: LRUCache<string, CachedBody>;
  // `fetch` of the library would fail for the readers of a page that is evicted while it is made.
  private readonly loading = new Map<string, Loading>();

  /** Names of pages that were made once, and not kept. */
  private readonly madeOnce: LRUCache<string, true>;
  private readonly largest: number;

  /** @param mostMadeOnce of how many pages it is remembered that they were made once, and not kept */
  constructor(
    private readonly maxBytes: number,
    mostMadeOnce = MOST_MADE_ONCE,
  ) {
    this.largest = Math.floor(maxBytes * LARGEST_SHARE);
    this.madeOnce = new LRUCache({ max: mostMadeOnce });
    this.pages = new LRUCache({
      maxSize: maxBytes,
      maxEntrySize: this.largest,
      sizeCalculation: (page) => page.size,
    });
  }

  get(name: string): CachedBody | undefined {
    return this.pages.get(name);
  }

  load(name: string, make: () => Promise<CachedBody>): Promise<CachedBody> {
    const loading = this.loading.get(name);
    if (loading !== undefined) {
      loading.isShared = true;
      return loading.page;
    }
    const own: Loading = { isShared: false, page: this.finish(name, make(), () => own.isShared) };
    this.loading.set(name, own);
    return own.page;
  }

  private async finish(name: string, made: Promise<CachedBody>, isShared: () => boolean): Promise<CachedBody> {
    try {
      const page = await made;
      const isKept = page.size <= this.largest && (this.hasRoomFor(page) || this.wasMadeBefore(name));
      if (isKept || isShared()) page.takeOver();
      if (isKept) this.pages.set(name, page);
      return page;
    } finally {
      // Who asks from here on does not get what one answer may give back.
      this.loading.delete(name);
    }
  }

  private hasRoomFor({ size }: CachedBody): boolean {
    return this.pages.calculatedSize + size <= this.maxBytes;
  }

  private wasMadeBefore(name: string): boolean {
    if (this.madeOnce.delete(name)) return true;
    this.madeOnce.set(name, true);
    return false;
  }

  /** Counts a page anew that has grown. */
  recount(name: string, page: CachedBody): void {
    // A value that is set again is not counted again.
    if (this.pages.peek(name) === page && this.pages.delete(name)) this.pages.set(name, page);
  }
}

/** A page that is being made. */
interface Loading {
  page: Promise<CachedBody>;
  /** More than one reader waits for it. */
  isShared: boolean;
}
