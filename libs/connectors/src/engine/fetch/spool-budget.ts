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
  /** Where the files lie; by default the temporary folder. */
  folder?: string | undefined;
  /** Bytes of all files together, beyond which downloads wait; by default without a bound. */
  diskBytes?: number;
  /** Bytes of small answers that are kept in memory, all runs together; others go into files. Default 32 MiB. */
  memoryBytes?: number;
}

/** Waits, and may do something before and after it. */
export type Waiting = (wait: () => Promise<void>) => Promise<void>;

/**
 * The memory and disk space of a process for data that is fetched and not yet read. The downloads of all runs share it.
 *
 * A download waits while the budget is full. One at a time may go beyond the bound, until its run is over: of several downloads
 * that each wait for the room of the others none would end, and a feed that is larger than the bound would never be read.
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

  /** In files, in bytes. */
  get bytesOnDisk(): number {
    return this.disk;
  }

  /** In bytes. */
  get bytesInMemory(): number {
    return this.memory;
  }

  /**
   * A new anonymous file for reading and writing: it has no name, so that the system frees its space when the process
   * ends in any way.
   */
  async newFile(): Promise<FileHandle> {
    const path = join(this.options.folder ?? os.tmpdir(), PREFIX + randomUUID());
    const file = await open(path, 'wx+', 0o600);
    await unlink(path);
    return file;
  }

  /** Removes files that processes which are no more have left, such as one that was killed between making a file and taking its name away. */
  async sweep(nowMs = Date.now()): Promise<void> {
    const folder = this.options.folder ?? os.tmpdir();
    for (const name of await readdir(folder).catch(() => [])) {
      if (!name.startsWith(PREFIX)) continue;
      const path = join(folder, name);
      const found = await stat(path).catch(() => null);
      if (found === null || nowMs - found.mtimeMs < ABANDONED_AFTER_MS) continue;
      // It may belong to another user.
      await rm(path, { recursive: true, force: true }).catch(() => undefined);
    }
  }

  /** @returns whether so many bytes in memory are free; if so, they are reserved. */
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
   * Reserves disk space as soon as there is enough.
   *
   * @param owner whose downloads count as one.
   * @param waiting wraps the wait; without it the call never waits.
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

  /** The owner's run is over. */
  leave(owner: object): void {
    if (this.beyond === owner) this.beyond = null;
    this.queue.wake();
  }
}

/** One run's share of the budget. */
export class SpoolReservation {
  private disk = 0;
  private memory = 0;
  private isOver = false;

  /** @param signal ends every wait. */
  constructor(
    private readonly budget: SpoolBudget = new SpoolBudget(),
    private readonly signal?: AbortSignal,
  ) {}

  newFile(): Promise<FileHandle> {
    return this.budget.newFile();
  }

  /** @returns whether so many bytes more may be kept in memory. */
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

  /**
   * A run that already has bytes on the disk continues; any other waits until the budget is not full. @throws the
   * signal's reason
   */
  async untilNotFull(): Promise<void> {
    if (this.disk === 0) await this.budget.untilNotFull(this.signal);
  }

  /**
   * Reserves space for the bytes that are written next.
   *
   * @param waiting as in `SpoolBudget.takeDisk`
   * @throws the signal's reason; Error when the run is over.
   */
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

  /** Releases the rest when the run is over and its files are closed. Later requests get nothing. */
  leave(): void {
    this.isOver = true;
    this.budget.releaseMemory(this.memory);
    this.budget.releaseDisk(this.disk);
    this.memory = this.disk = 0;
    this.budget.leave(this);
  }
}
