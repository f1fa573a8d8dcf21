import type { Readable } from 'node:stream';
import type { ByteRange, StoredFile, StoreProblem } from '@passerelle/bucket';

/**
 * The store of photos: a folder or a bucket. A file's name is derived from its content, so it is written once,
 * completely, and never changes. Every method throws MediaStoreError when the store cannot be used.
 */
export interface MediaStore {
  /** Stores the whole file or nothing, even if the process is killed meanwhile. Replaces a file with the same name. */
  put(name: string, bytes: Buffer): Promise<void>;
  find(name: string): Promise<StoredFile | null>;
  /** Null when the file does not exist. */
  read(name: string, range?: ByteRange): Promise<Readable | null>;
  remove(name: string): Promise<void>;
  /** Every file, sorted by name. */
  list(): AsyncIterable<StoredFile>;
  /** Removes temporary files of killed writers. */
  sweep(olderThan: Date): Promise<void>;
  /** The public address of the file; null if it has none. */
  publicUrl(name: string): string | null;
  close(): void;
}

/** The store cannot be used. The message is one sentence for an operator, without credentials. */
export class MediaStoreError extends Error {
  override readonly name = 'MediaStoreError';

  constructor(
    readonly problem: StoreProblem,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
