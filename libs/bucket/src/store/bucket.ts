import type { Readable } from 'node:stream';

export interface StoredFile {
  name: string;
  bytes: number;
  modifiedAt: Date;
}

/** Positions of bytes, counted from 0; both ends are included. */
export interface ByteRange {
  start: number;
  end: number;
}

export type StoreProblem = 'full' | 'refused' | 'unavailable';

/** The bucket cannot be used. The message is one sentence for an operator, without credentials. */
export class BucketError extends Error {
  override readonly name = 'BucketError';

  constructor(
    readonly problem: StoreProblem,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Headers of an object for clients that read the bucket directly. */
export interface ObjectHeaders {
  contentType: string;
  cacheControl: string;
}

/** Objects in an S3-compatible bucket. Every method throws BucketError when the bucket cannot be used. */
export interface Bucket {
  /** Stores the whole object or nothing, in one request. Replaces an object with the same name. */
  put(name: string, bytes: Buffer, headers?: ObjectHeaders): Promise<void>;
  find(name: string): Promise<StoredFile | null>;
  /** Null when the object does not exist. The stream also fails with BucketError. */
  read(name: string, range?: ByteRange): Promise<Readable | null>;
  remove(name: string): Promise<void>;
  /** Every object whose name begins with `start`, sorted by name. */
  list(start?: string): AsyncIterable<StoredFile>;
  close(): void;
}
