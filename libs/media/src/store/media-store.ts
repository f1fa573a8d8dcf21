import type { Readable } from 'node:stream';
import type { ByteRange, StoredFile, StoreProblem } from '@passerelle/bucket';

/**
 * The store of photos: a folder or a bucket. The name is derived from the content, so a file is written whole, once,
 * and never changed. Every method throws MediaStoreError when the store cannot be used.
 */
export interface MediaStore {
  /** Stores the whole file or nothing, even if the process is killed meanwhile. A file with this name is replaced. */
  put(name: string, bytes: Buffer): Promise<void>;
  find(name: string): Promise<StoredFile | null>;
  /** Null when there is no such file. */
  read(name: string, range?: ByteRange): Promise<Readable | null>;
  remove(name: string): Promise<void>;
  /** Every file, in the order of the names. */
  list(): AsyncIterable<StoredFile>;
  /** Removes temporary files of killed writers. */
  sweep(olderThan: Date): Promise<void>;
  /** A public address of the file; null when there is none. */
  publicUrl(name: string): string | null;
  close(): void;
}

/** The store cannot be used; the message is one sentence for an operator, without credentials. */
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
