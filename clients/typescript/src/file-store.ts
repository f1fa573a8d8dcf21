import { type FileHandle, open, readFile, rename } from 'node:fs/promises';
import type { Done, KnownListing, SyncStore } from './store.ts';

/** A line of the file: a noted listing, a forgotten listing, or the last list that was processed. */
type Line = ['note', string, string, string] | ['forget', string] | ['done', Done | null];

/** The file is rewritten when it has this many lines more than twice the number of listings. */
const MOST_SPENT_LINES = 1_000;

/** A store in a file. Only one process at a time may use it. */
export interface FileStore extends SyncStore {
  close(): Promise<void>;
}

/**
 * Opens a store in a file and creates the file if it is missing. Each note appends one line, so its cost does not grow
 * with the number of listings. If the process is killed, an incomplete last line is ignored.
 *
 * @param path of the file; its folder must exist, and `path.new` is used too
 */
export async function openFileStore(path: string): Promise<FileStore> {
  const store = new Journal(path);
  await store.load();
  return store;
}

class Journal implements FileStore {
  private readonly listings = new Map<string, KnownListing>();
  private last: Done | null = null;
  private lines = 0;
  private handle!: FileHandle;
  /** Pending writes, in order. */
  private written: Promise<unknown> = Promise.resolve();

  constructor(private readonly path: string) {}

  async load(): Promise<void> {
    const bytes = await readFile(this.path).catch((error: unknown) => {
      if ((error as { code?: string }).code === 'ENOENT') return Buffer.alloc(0);
      throw error;
    });
    const whole = bytes.lastIndexOf(0x0a) + 1;
    for (const line of bytes.subarray(0, whole).toString('utf8').split('\n')) {
      if (line !== '') this.apply(JSON.parse(line) as Line);
    }
    this.handle = await open(this.path, 'a');
    // Removes an incomplete last line, so that the next line does not become part of it.
    if (whole < bytes.length) await this.handle.truncate(whole);
  }

  known(): Promise<ReadonlyMap<string, KnownListing>> {
    return Promise.resolve(new Map(this.listings));
  }

  note(affId: string, { empreinte, photos }: KnownListing): Promise<void> {
    return this.add(['note', affId, empreinte, photos]);
  }

  forget(affId: string): Promise<void> {
    return this.add(['forget', affId]);
  }

  done(): Promise<Done | null> {
    return Promise.resolve(this.last);
  }

  async setDone(done: Done | null): Promise<void> {
    await this.add(['done', done]);
    if (this.lines > 2 * this.listings.size + MOST_SPENT_LINES) await this.after(() => this.rewrite());
    else await this.after(() => this.handle.datasync());
  }

  async close(): Promise<void> {
    await this.after(() => this.handle.close());
  }

  private add(line: Line): Promise<void> {
    this.apply(line);
    return this.after(() => this.handle.appendFile(textOf(line)));
  }

  private apply(line: Line): void {
    this.lines += 1;
    if (line[0] === 'note') this.listings.set(line[1], { empreinte: line[2], photos: line[3] });
    else if (line[0] === 'forget') this.listings.delete(line[1]);
    else this.last = line[1];
  }

  private after(write: () => Promise<void>): Promise<void> {
    const done = this.written.then(write);
    this.written = done.catch(() => undefined);
    return done;
  }

  /** Writes the valid lines to another file, which then replaces this one atomically. */
  private async rewrite(): Promise<void> {
    const notes = Array.from(this.listings, ([affId, { empreinte, photos }]): Line => [
      'note',
      affId,
      empreinte,
      photos,
    ]);
    const lines: Line[] = [...notes, ['done', this.last]];
    const next = await open(`${this.path}.new`, 'w');
    try {
      await next.writeFile(lines.map(textOf).join(''));
      await next.datasync();
    } finally {
      await next.close();
    }
    await rename(`${this.path}.new`, this.path);
    await this.handle.close();
    this.handle = await open(this.path, 'a');
    this.lines = lines.length;
  }
}

function textOf(line: Line): string {
  return `${JSON.stringify(line)}\n`;
}
