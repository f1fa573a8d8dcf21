import { randomUUID } from 'node:crypto';
import { open, readdir, rm, stat, unlink, type FileHandle } from 'node:fs/promises';
import * as os from 'node:os';
import { join } from 'node:path';
import { WaitQueue } from '@passerelle/domain';

const PREFIX = 'passerelle-feed-';
/** No run takes longer than an hour. */
const ABANDONED_AFTER_MS = 2 * 3600_000;
const MEMORY_BYTES = 32 * 1024 * 1024;

export interface SpoolBudgetOptions {
  /** The folder of the files; by default the temporary folder. */
  folder?: string | undefined;
  /** How many bytes all files together may have before downloads wait; by default unlimited. */
  diskBytes?: number;
  /** How many bytes of small answers all runs together keep in memory; others go into files. Default 32 MiB. */
  memoryBytes?: number;
}

/** Wraps a wait, and may act before and after it. */
export type Waiting = (wait: () => Promise<void>) => Promise<void>;

/**
 * Limits a process's memory and disk for fetched data. Downloads wait while the disk budget is full, but one run at a
 * time may exceed it: otherwise downloads could wait for each other forever, and a feed above the limit could never be
 * read.
 */
export class SpoolBudget {
  private readonly diskLimit: number;
  private readonly memoryLimit: number;
  private disk = 0;
  private memory = 0;
  private beyond: object | null = null;
  private readonly queue = new WaitQueue();

  constructor(private readonly options: SpoolBudgetOptions = {}) {
    this.diskLimit = options.diskBytes ?? Infinity;
    this.memoryLimit = options.memoryBytes ?? MEMORY_BYTES;
  }

  get bytesOnDisk(): number {
    return this.disk;
  }

  get bytesInMemory(): number {
    return this.memory;
  }

  /** An anonymous file: it has no name, so that the system frees its space however the process ends. */
  async newFile(): Promise<FileHandle> {
    const path = join(this.options.folder ?? os.tmpdir(), PREFIX + randomUUID());
    const file = await open(path, 'wx+', 0o600);
    await unlink(path);
    return file;
  }

  /** Removes files of processes that were killed between creating a file and unlinking it. */
  async sweep(nowMs = Date.now()): Promise<void> {
    const folder = this.options.folder ?? os.tmpdir();
    for (const name of await readdir(folder).catch(() => [])) {
      if (!name.startsWith(PREFIX)) continue;
      const path = join(folder, name);
      const found = await stat(path).catch(() => null);
      if (found === null || nowMs - found.mtimeMs < ABANDONED_AFTER_MS) continue;
      // The removal fails when the file belongs to another user.
      await rm(path, { recursive: true, force: true }).catch(() => undefined);
    }
  }

  /** Reserves memory. @returns whether this many bytes were free */
  reserveMemory(bytes: number): boolean {
    if (this.memory + bytes > this.memoryLimit) return false;
    this.memory += bytes;
    return true;
  }

  releaseMemory(bytes: number): void {
    this.memory -= bytes;
  }

  /** Waits until the budget is not full. @throws the signal's reason when it is aborted. */
  async untilNotFull(signal: AbortSignal | undefined): Promise<void> {
    await this.queue.wait(() => this.disk < this.diskLimit, signal);
  }

  /**
   * @param owner the run whose downloads count as one @param waiting wraps the wait; without it the call never waits
   * @throws the signal's reason when it is aborted.
   */
  async reserveDisk(bytes: number, owner: object, signal?: AbortSignal, waiting?: Waiting): Promise<void> {
    const take = (): boolean => {
      const fits = this.disk + bytes <= this.diskLimit || this.beyond === owner;
      if (!fits && this.beyond !== null) return false;
      if (!fits) this.beyond = owner;
      this.disk += bytes;
      return true;
    };
    if (waiting === undefined) this.disk += bytes;
    else if (!take()) await waiting(() => this.queue.wait(take, signal));
  }

  releaseDisk(bytes: number): void {
    this.disk -= bytes;
    this.queue.wake();
  }

  /** Must be called when the owner's run is over. */
  leave(owner: object): void {
    if (this.beyond === owner) this.beyond = null;
    this.queue.wake();
  }
}

export class SpoolReservation {
  private disk = 0;
  private memory = 0;
  private isOver = false;

  constructor(
    private readonly budget: SpoolBudget = new SpoolBudget(),
    private readonly signal?: AbortSignal,
  ) {}

  newFile(): Promise<FileHandle> {
    return this.budget.newFile();
  }

  reserveMemory(bytes: number): boolean {
    const isTaken = !this.isOver && this.budget.reserveMemory(bytes);
    if (isTaken) this.memory += bytes;
    return isTaken;
  }

  releaseMemory(bytes: number): void {
    if (this.isOver) return;
    this.memory -= bytes;
    this.budget.releaseMemory(bytes);
  }

  /** Waits until the budget is not full, unless the run already has bytes on disk. @throws the signal's reason */
  async untilNotFull(): Promise<void> {
    if (this.disk === 0) await this.budget.untilNotFull(this.signal);
  }

  /** @param waiting as in `SpoolBudget.reserveDisk` @throws the signal's reason; Error when the run is over. */
  async reserveDisk(bytes: number, waiting?: Waiting): Promise<void> {
    await this.budget.reserveDisk(bytes, this, this.signal, waiting);
    this.disk += bytes;
    if (!this.isOver) return;
    this.leave();
    throw new Error('the run is over');
  }

  releaseDisk(bytes: number): void {
    if (this.isOver) return;
    this.disk -= bytes;
    this.budget.releaseDisk(bytes);
  }

  /** Releases the whole reservation when the run is over and its files are closed. Later reservations fail. */
  leave(): void {
    this.isOver = true;
    this.budget.releaseMemory(this.memory);
    this.budget.releaseDisk(this.disk);
    this.memory = this.disk = 0;
    this.budget.leave(this);
  }
}
