import type { Readable } from 'node:stream';
import type { ByteRange, StoredFile, StoreProblem } from '@passerelle/bucket';

/**
 * Where photos lie: a folder or a bucket. A name says what is in the file, so that a file is written whole, once, and
 * never changed. Every method throws MediaStoreError when the store cannot be used.
 */
export interface MediaStore {
  /** The whole file or none of it, also when the process is killed meanwhile. A file of this name is replaced. */
  put(name: string, bytes: Buffer): Promise<void>;
  find(name: string): Promise<StoredFile | null>;
  /** Null when there is no such file. */
  read(name: string, range?: ByteRange): Promise<Readable | null>;
  remove(name: string): Promise<void>;
  /** Every file, in the order of the names. */
  list(): AsyncIterable<StoredFile>;
  /** Removes what writers that were killed have left behind. */
  sweep(olderThan: Date): Promise<void>;
  /** Where everybody can read the file without us; null when nobody can. */
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
