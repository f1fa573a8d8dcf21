import type { Readable } from 'node:stream';

/** A file as a store knows it. */
export interface StoredFile {
  name: string;
  bytes: number;
  modifiedAt: Date;
}

/** Places of bytes, counted from 0; both ends are included. */
export interface ByteRange {
  start: number;
  end: number;
}

/** What is wrong with a store: it has no room, it does not let us in, or it is not there. */
export type StoreProblem = 'full' | 'refused' | 'unavailable';

/** The bucket cannot be used; the message is one sentence for an operator, without credentials. */
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

/** What an object says of itself to those who read the bucket without us. */
export interface ObjectHeaders {
  contentType: string;
  cacheControl: string;
}

/** Objects in an S3-compatible bucket. Every method throws BucketError when the bucket cannot be used. */
export interface Bucket {
  /** The whole object or none of it, in one request. An object of this name is replaced. */
  put(name: string, bytes: Buffer, headers?: ObjectHeaders): Promise<void>;
  find(name: string): Promise<StoredFile | null>;
  /** Null when there is no such object. The stream fails with BucketError too, also when the bucket falls silent in its middle. */
  read(name: string, range?: ByteRange): Promise<Readable | null>;
  remove(name: string): Promise<void>;
  /** Every object whose name begins so, in the order of the names. */
  list(start?: string): AsyncIterable<StoredFile>;
  close(): void;
}
