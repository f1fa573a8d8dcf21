import type { FileHandle } from 'node:fs/promises';
import { type Spool, SpoolDirectory, spoolInRange, writeAll } from '../spool';

const IN_MEMORY_BYTES = 4 * 1024 * 1024;

interface WalkFile {
  file: FileHandle | undefined;
  sizeBytes: number;
}

/** Keeps the pages of a list until its records are read: up to 4 MiB in memory, more in a temporary file per walk. */
export class PageStore {
  private readonly directory = new SpoolDirectory();
  private walks: WalkFile[] = [];
  private bytesInMemory = 0;

  /** The pages from here on are those of a new walk. Of the walks before, the pages of the last one stay. */
  async startWalk(): Promise<void> {
    const [outdated] = this.walks.splice(0, this.walks.length - 1);
    this.walks.push({ file: undefined, sizeBytes: 0 });
    await outdated?.file?.close();
  }

  /** @returns the same bytes. They are good as long as the store keeps them, also when `spool` is closed earlier. */
  async keep(spool: Spool): Promise<Spool> {
    if (this.bytesInMemory + spool.sizeBytes <= IN_MEMORY_BYTES) {
      this.bytesInMemory += spool.sizeBytes;
      return spool;
    }
    const walk = this.walks.at(-1);
    if (walk === undefined) throw new Error('no walk has started');
    const file = (walk.file ??= await this.directory.newFile());
    const start = walk.sizeBytes;
    for await (const chunk of spool.open()) await writeAll(file, chunk);
    walk.sizeBytes += spool.sizeBytes;
    return spoolInRange(file, start, spool.sizeBytes, spool.fingerprint);
  }

  async close(): Promise<void> {
    for (const { file } of this.walks) await file?.close();
    await this.directory.remove();
  }
}
