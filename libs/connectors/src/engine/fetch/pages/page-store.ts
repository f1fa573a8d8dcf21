import type { FileHandle } from 'node:fs/promises';
import { type Spool, spoolInRange, writeAll } from '../spool';
import type { SpoolReservation } from '../spool-budget';

const IN_MEMORY_BYTES = 4 * 1024 * 1024;

interface WalkFile {
  file: FileHandle | undefined;
  sizeBytes: number;
}

/** Keeps pages until their records are read: up to 4 MiB in memory if there is room, the rest in a file per walk. */
export class PageStore {
  private walks: WalkFile[] = [];
  private bytesInMemory = 0;

  constructor(private readonly reservation: SpoolReservation) {}

  /** Begins a new walk, and drops the pages of all earlier walks except the last one. */
  async startWalk(): Promise<void> {
    const [outdated] = this.walks.splice(0, this.walks.length - 1);
    this.walks.push({ file: undefined, sizeBytes: 0 });
    if (outdated !== undefined) await this.drop(outdated);
  }

  /** Stores a page. @returns the same bytes, valid while the store keeps the page, even when `spool` is closed */
  async keep(spool: Spool): Promise<Spool> {
    const isSmall = spool.isInMemory && this.bytesInMemory + spool.sizeBytes <= IN_MEMORY_BYTES;
    if (isSmall && this.reservation.reserveMemory(spool.sizeBytes)) {
      this.bytesInMemory += spool.sizeBytes;
      return spool;
    }
    const walk = this.walks.at(-1);
    if (walk === undefined) throw new Error('no walk has started');
    await this.reservation.reserveDisk(spool.sizeBytes, (wait) => wait());
    const start = walk.sizeBytes;
    walk.sizeBytes += spool.sizeBytes;
    const file = (walk.file ??= await this.reservation.newFile());
    for await (const chunk of spool.open()) await writeAll(file, [chunk]);
    return spoolInRange(file, start, spool.sizeBytes, spool.fingerprint);
  }

  async close(): Promise<void> {
    for (const walk of this.walks) await this.drop(walk);
    this.reservation.releaseMemory(this.bytesInMemory);
    this.walks = [];
    this.bytesInMemory = 0;
  }

  private async drop({ file, sizeBytes }: WalkFile): Promise<void> {
    await file?.close();
    this.reservation.releaseDisk(sizeBytes);
  }
}
