import type { FileHandle } from 'node:fs/promises';
import { givenBack } from '@passerelle/domain';
import { newChunkMemory } from '../cut/chunk-memory';
import { newFingerprint } from '../fingerprint';
import type { SpoolReservation, Waiting } from './spool-budget';

/** Fetched bytes: kept until the run ends, readable many times. */
export interface Spool {
  readonly sizeBytes: number;
  /** Hash of the bytes: 32 hexadecimal characters. */
  readonly fingerprint: string;
  /** Whether the bytes stay valid after the spool is closed. */
  readonly isInMemory: boolean;
  /** Each call starts at the first byte. A chunk stays valid until the second chunk after it is requested. */
  open(): AsyncIterable<Buffer>;
  /** `length` bytes from `offset`, or fewer at the end. */
  read(offset: number, length: number): Promise<Buffer>;
  close(): Promise<void>;
}

const IN_MEMORY_BYTES = 4 * 1024 * 1024;
const READ_BYTES = 256 * 1024;

/**
 * Spools an answer in memory if it has at most 4 MiB and the process has room for it, otherwise in a file.
 * @param waiting wraps the wait for disk budget; without it the call never waits.
 */
export async function spoolFrom(
  chunks: AsyncIterable<Buffer>,
  reservation: SpoolReservation,
  waiting?: Waiting,
): Promise<Spool> {
  const hash = await newFingerprint();
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let sizeBytes = 0;
  let inMemory = 0;
  let onDisk = 0;
  let file: FileHandle | undefined;
  const giveBack = (): void => {
    reservation.releaseMemory(inMemory);
    reservation.releaseDisk(onDisk);
    inMemory = onDisk = 0;
  };
  const write = async (): Promise<void> => {
    await reservation.reserveDisk(pendingBytes, waiting);
    onDisk += pendingBytes;
    file ??= await reservation.newFile();
    await writeAll(file, pending);
    reservation.releaseMemory(inMemory);
    inMemory = pendingBytes = 0;
    pending = [];
  };
  try {
    for await (const chunk of chunks) {
      hash.update(chunk);
      pending.push(chunk);
      pendingBytes += chunk.length;
      sizeBytes += chunk.length;
      if (file === undefined && sizeBytes <= IN_MEMORY_BYTES && reservation.reserveMemory(chunk.length)) {
        inMemory += chunk.length;
      } else if (file === undefined || pendingBytes >= READ_BYTES) await write();
    }
    if (file !== undefined && pendingBytes > 0) await write();
  } catch (error) {
    await file?.close();
    giveBack();
    throw error;
  }
  const fingerprint = hash.digest();
  const spool =
    file === undefined ? spoolInMemory(Buffer.concat(pending), fingerprint) : spoolInFile(file, sizeBytes, fingerprint);
  return {
    ...spool,
    async close() {
      await spool.close();
      giveBack();
    },
  };
}

/** Appends to an open file. */
export async function writeAll(file: FileHandle, pieces: readonly Buffer[]): Promise<void> {
  let missing = pieces.reduce((sum, { length }) => sum + length, 0);
  missing -= (await file.writev(pieces)).bytesWritten;
  // A file system may write fewer bytes than requested.
  if (missing === 0) return;
  const rest = Buffer.concat(pieces).subarray(-missing);
  for (let at = 0; at < rest.length;) at += (await file.write(rest, at)).bytesWritten;
}

function spoolInMemory(bytes: Buffer, fingerprint: string): Spool {
  return {
    sizeBytes: bytes.length,
    fingerprint,
    isInMemory: true,
    async *open() {
      // One chunk: all bytes are in memory.
      if (bytes.length > 0) yield await Promise.resolve(bytes);
    },
    read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)),
    close: () => Promise.resolve(),
  };
}

/** A spool over an open file. Closing the spool closes the file. */
function spoolInFile(file: FileHandle, sizeBytes: number, fingerprint: string, memory = new ReadMemory()): Spool {
  return {
    ...spoolInRange(file, 0, sizeBytes, fingerprint),
    open: () => memory.read(file, sizeBytes),
    async close() {
      // Closing waits for a chunk that is being read.
      await file.close();
      memory.giveBack();
    },
  };
}

/** Reads a file once for its fingerprint. Closing the spool closes the file. @throws the signal's reason */
export async function spoolOfFile(file: FileHandle, signal: AbortSignal): Promise<Spool> {
  const memory = new ReadMemory();
  const hash = await newFingerprint();
  let sizeBytes = 0;
  for await (const chunk of memory.read(file)) {
    signal.throwIfAborted();
    hash.update(chunk);
    sizeBytes += chunk.length;
  }
  return spoolInFile(file, sizeBytes, hash.digest(), memory);
}

/** Buffers for reading one file; after it is closed, the next file reuses them. */
class ReadMemory {
  private buffers: Buffer[] | undefined = spareBuffers.pop() ?? newBuffers();
  private isInUse = false;

  /** Reads from the first byte; while another read is under way, into separate buffers. */
  async *read(file: FileHandle, end = Infinity): AsyncGenerator<Buffer, void, undefined> {
    const { buffers } = this;
    if (this.isInUse || buffers === undefined) return yield* readFile(file, newBuffers(), 0, end);
    this.isInUse = true;
    try {
      yield* readFile(file, buffers, 0, end);
    } finally {
      this.isInUse = false;
    }
  }

  giveBack(): void {
    this.buffers?.forEach(givenBack);
    if (this.buffers !== undefined && spareBuffers.length < MOST_SPARE) spareBuffers.push(this.buffers);
    this.buffers = undefined;
  }
}

/**
 * Buffers of closed files, for reuse: at most four sets of three, because more files are rarely open at the same time.
 */
const spareBuffers: Buffer[][] = [];
const MOST_SPARE = 4;

function newBuffers(): Buffer[] {
  return [0, 1, 2].map(() => newChunkMemory(READ_BYTES));
}

/** A spool over a part of an open file. Closing the spool does not close the file. */
export function spoolInRange(file: FileHandle, start: number, sizeBytes: number, fingerprint: string): Spool {
  return {
    sizeBytes,
    fingerprint,
    isInMemory: false,
    open: () => readFile(file, newBuffers(), start, start + sizeBytes),
    async read(offset, length) {
      const bytes = Buffer.allocUnsafeSlow(Math.max(0, Math.min(length, sizeBytes - offset)));
      let filled = 0;
      while (filled < bytes.length) {
        const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, start + offset + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return bytes.subarray(0, filled);
    },
    close: () => Promise.resolve(),
  };
}

/** Reads one chunk ahead into three reused buffers: new buffers would take up to 100 MB before garbage collection. */
async function* readFile(
  file: FileHandle,
  buffers: readonly Buffer[],
  start = 0,
  end = Infinity,
): AsyncGenerator<Buffer, void, undefined> {
  let reading = readChunk(file, buffers[0]!, start, end);
  try {
    for (let count = 1, position = start; ; count += 1) {
      const chunk = await reading;
      if (chunk.length === 0) return;
      position += chunk.length;
      reading = readChunk(file, buffers[count % buffers.length]!, position, end);
      // The next `await` reports a failure; until then it must not count as unhandled.
      reading.catch(() => undefined);
      yield chunk;
    }
  } finally {
    // Waits for the read under way, because the caller may close the file afterwards.
    await reading.catch(() => undefined);
  }
}

async function readChunk(file: FileHandle, buffer: Buffer, position: number, end: number): Promise<Buffer> {
  givenBack(buffer);
  const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, end - position), position);
  return buffer.subarray(0, bytesRead);
}
