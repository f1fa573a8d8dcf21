import { createHash } from 'node:crypto';
import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Fetched bytes: kept for the length of a run, readable many times. */
export interface Spool {
  readonly sizeBytes: number;
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly fingerprint: string;
  /** Each call starts at the first byte. A chunk is good until the one after the next is asked for. */
  open(): AsyncIterable<Buffer>;
  /** `length` bytes from `offset`, or fewer at the end. */
  read(offset: number, length: number): Promise<Buffer>;
  close(): Promise<void>;
}

const IN_MEMORY_BYTES = 4 * 1024 * 1024;
const READ_BYTES = 256 * 1024;

/** The directory of one run, made when it is first needed. */
export class SpoolDirectory {
  #path: Promise<string> | undefined;
  #files = 0;

  async newFile(): Promise<FileHandle> {
    this.#path ??= mkdtemp(join(tmpdir(), 'passerelle-feed-'));
    this.#files += 1;
    return await open(join(await this.#path, String(this.#files)), 'wx+', 0o600);
  }

  async remove(): Promise<void> {
    if (this.#path !== undefined) await rm(await this.#path, { recursive: true, force: true });
  }
}

/** Takes bytes as they come: the first 4 MiB stay in memory, more goes to a file in `directory`. */
export async function spoolFrom(chunks: AsyncIterable<Buffer>, directory: SpoolDirectory): Promise<Spool> {
  const hash = createHash('sha256');
  let held: Buffer[] = [];
  let heldBytes = 0;
  let sizeBytes = 0;
  let file: FileHandle | undefined;
  try {
    for await (const chunk of chunks) {
      hash.update(chunk);
      held.push(chunk);
      heldBytes += chunk.length;
      sizeBytes += chunk.length;
      if (file === undefined ? sizeBytes > IN_MEMORY_BYTES : heldBytes >= READ_BYTES) {
        file ??= await directory.newFile();
        await writeAll(file, Buffer.concat(held));
        held = [];
        heldBytes = 0;
      }
    }
    if (file !== undefined && heldBytes > 0) await writeAll(file, Buffer.concat(held));
  } catch (error) {
    await file?.close();
    throw error;
  }
  const fingerprint = hash.digest('hex');
  return file === undefined
    ? spoolInMemory(Buffer.concat(held), fingerprint)
    : spoolInFile(file, sizeBytes, fingerprint);
}

async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length;) at += (await file.write(bytes, at)).bytesWritten;
}

function spoolInMemory(bytes: Buffer, fingerprint: string): Spool {
  return {
    sizeBytes: bytes.length,
    fingerprint,
    async *open() {
      // One piece: nothing in memory has to be waited for.
      if (bytes.length > 0) yield await Promise.resolve(bytes);
    },
    read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)),
    close: () => Promise.resolve(),
  };
}

/** A spool over an open file, which it closes. */
export function spoolInFile(file: FileHandle, sizeBytes: number, fingerprint: string): Spool {
  return {
    sizeBytes,
    fingerprint,
    open: () => readFile(file),
    async read(offset, length) {
      const bytes = Buffer.allocUnsafeSlow(Math.max(0, Math.min(length, sizeBytes - offset)));
      let filled = 0;
      while (filled < bytes.length) {
        const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, offset + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return bytes.subarray(0, filled);
    },
    close: () => file.close(),
  };
}

/**
 * The bytes of an open file from its start. While one chunk is worked on the next is read. Three buffers take turns: what
 * lies outside of the heap is let go of only when the collector comes by, and a re-import gives it so little to do that a
 * hundred megabytes would wait for it.
 */
async function* readFile(file: FileHandle): AsyncGenerator<Buffer, void, undefined> {
  const buffers = [0, 1, 2].map(() => Buffer.allocUnsafeSlow(READ_BYTES));
  let reading = readChunk(file, buffers[0]!, 0);
  try {
    for (let count = 1, position = 0; ; count += 1) {
      const chunk = await reading;
      if (chunk.length === 0) return;
      position += chunk.length;
      reading = readChunk(file, buffers[count % buffers.length]!, position);
      // Whoever waits for it next hears of a failure; until then it must not count as unhandled.
      reading.catch(() => undefined);
      yield chunk;
    }
  } finally {
    // The file may be closed once this is over.
    await reading.catch(() => undefined);
  }
}

async function readChunk(file: FileHandle, buffer: Buffer, position: number): Promise<Buffer> {
  const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
  return buffer.subarray(0, bytesRead);
}

/** The SHA-256 of an open file, in hexadecimal, and its size. @throws the signal's reason when it is aborted. */
export async function fingerprintOf(
  file: FileHandle,
  signal: AbortSignal,
): Promise<{ sizeBytes: number; fingerprint: string }> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const chunk of readFile(file)) {
    signal.throwIfAborted();
    hash.update(chunk);
    sizeBytes += chunk.length;
  }
  return { sizeBytes, fingerprint: hash.digest('hex') };
}
