import type { Readable } from 'node:stream';
import type { ByteRange, StoredFile, StoreProblem } from '@passerelle/bucket';

/** A file's name is derived from its content: it is written once and never changes. Methods throw MediaStoreError. */
export interface MediaStore {
  /** Stores the whole file or nothing, even if the process is killed meanwhile. Replaces a file with the same name. */
  put(name: string, bytes: Buffer): Promise<void>;
  find(name: string): Promise<StoredFile | null>;
  read(name: string, range?: ByteRange): Promise<Readable | null>;
  remove(name: string): Promise<void>;
  /** Every file, sorted by name. */
  list(): AsyncIterable<StoredFile>;
  sweep(olderThan: Date): Promise<void>;
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
