/**
 * Pages of bytes by name, bounded by their size: the least recently used leave first. Those who ask for the same page
 * while it is made get the same one.
 */
export class PageCache {
  private readonly pages = new Map<string, Buffer>();
  private readonly loading = new Map<string, Promise<Buffer>>();
  private bytes = 0;

  constructor(private readonly maxBytes: number) {}

  get(name: string): Buffer | undefined {
    const page = this.pages.get(name);
    if (page === undefined) return undefined;
    // Moves to the young end.
    this.pages.delete(name);
    this.pages.set(name, page);
    return page;
  }

  load(name: string, make: () => Promise<Buffer>): Promise<Buffer> {
    const loading = this.loading.get(name);
    if (loading !== undefined) return loading;
    const page = make()
      .then((bytes) => {
        this.keep(name, bytes);
        return bytes;
      })
      .finally(() => this.loading.delete(name));
    this.loading.set(name, page);
    return page;
  }

  private keep(name: string, page: Buffer): void {
    // One page must not push out all the others.
    if (page.length > this.maxBytes / 4) return;
    this.pages.set(name, page);
    this.bytes += page.length;
    for (const [oldest, { length }] of this.pages) {
      if (this.bytes <= this.maxBytes) return;
      this.pages.delete(oldest);
      this.bytes -= length;
    }
  }
}
