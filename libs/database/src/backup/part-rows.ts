import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { BackupRefused, type BackupTable, fileOf } from './manifest';

const LINE_END = 10;

/** Yields lines whose digest is checked only after the last chunk: use a transaction. @throws BackupRefused */
export async function* rowsOfPart(
  directory: string,
  { name, parts }: BackupTable,
  part: number,
): AsyncGenerator<Buffer> {
  const path = fileOf(directory, name);
  const { bytes, sha256 } = parts[part]!;
  const start = parts.slice(0, part).reduce((sum, previous) => sum + previous.bytes, 0);
  // Read the last part to the end of the file, to detect bytes after it.
  const range = part === parts.length - 1 ? { start } : { start, end: start + bytes - 1 };
  const hash = createHash('sha256');
  const file = createReadStream(path, range);
  const lines = createGunzip();
  const reading = pipeline(
    file,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
    },
    lines,
  );
  // The loop below throws the same error.
  reading.catch(() => undefined);
  try {
    for await (const chunk of lines as AsyncIterable<Buffer>) yield chunk;
    await reading;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new BackupRefused(`${path} cannot be restored: ${why}`, { cause });
  } finally {
    file.destroy();
    lines.destroy();
  }
  if (hash.digest('hex') !== sha256) throw new BackupRefused(`${path} is not what the backup wrote`);
}

/** Counts the rows that pass through. Each row contains exactly one line end. */
export class RowCounter {
  rows = 0;

  async *pass(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      this.add(chunk);
      yield chunk;
    }
  }

  add(chunk: Buffer): void {
    for (let at = chunk.indexOf(LINE_END); at !== -1; at = chunk.indexOf(LINE_END, at + 1)) this.rows += 1;
  }
}

/** @throws BackupRefused naming the file, with the line and column that PostgreSQL names */
export function refusedBy(error: unknown, path: string): BackupRefused {
  if (error instanceof BackupRefused) return error;
  const why = error instanceof Error ? error.message : String(error);
  const where = placeOf(error);
  return new BackupRefused(`${path} cannot be restored: ${why}${where === null ? '' : ` (${where})`}`, {
    cause: error,
  });
}

const COPY_PLACE = /^COPY (\w+), line (\d+)(?:, column (\w+))?/;

/** The line and column from the context that PostgreSQL adds to an error of COPY, without the value. */
function placeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('where' in error)) return null;
  const [, , line, column] = COPY_PLACE.exec(String(error.where)) ?? [];
  if (line === undefined) return null;
  return column === undefined ? `line ${line}` : `line ${line}, column ${column}`;
}
