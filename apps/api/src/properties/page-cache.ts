import { LRUCache } from 'lru-cache';
import type { CachedBody } from '../http/cached-body';

/** Enough for a full cache to keep repeatedly read pages, if they fit, from the second time on. */
const MOST_MADE_ONCE = 2_000;
/** One page must not evict all the others. */
const LARGEST_SHARE = 1 / 4;

/**
 * Concurrent readers share a page that is being made. A full cache keeps a page only if it is soon made again, because
 * evicted pages are freed only by full garbage collections, for which readers waited.
 */
export class PageCache {
  private readonly pages: LRUCache<string, CachedBody>;
  // The library's `fetch` would fail for the readers of a page that is evicted while it is being made.
  private readonly loading = new Map<string, Loading>();

  private readonly madeOnce: LRUCache<string, true>;
  private readonly largest: number;

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
      // Later callers must not receive a buffer that is about to be reused.
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

  recount(name: string, page: CachedBody): void {
    // Setting the same value again does not update its size.
    if (this.pages.peek(name) === page && this.pages.delete(name)) this.pages.set(name, page);
  }
}

interface Loading {
  page: Promise<CachedBody>;
  /** Whether more than one reader waits for the page. */
  isShared: boolean;
}
