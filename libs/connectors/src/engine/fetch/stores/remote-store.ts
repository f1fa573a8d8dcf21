import type { Readable } from 'node:stream';

export interface RemoteFile {
  sizeBytes: number;
  /** Exact to at least a second, by the server's clock; undefined when the server does not state it. */
  modifiedMs: number | undefined;
}

/** A file in a directory listing. */
export interface ListedFile {
  name: string;
  /** Exact enough to find the newest file; 0 when the server does not state it. */
  modifiedMs: number;
}

/**
 * Its methods throw FeedErrors for a server's error answers. docs/decisions/0035 compares it with the libraries' own
 * clients.
 */
export interface RemoteStore {
  stat(path: string): Promise<RemoteFile | undefined>;
  /** Lists the files of a directory. Its path ends in `/`, or is empty. */
  list(directory: string): Promise<ListedFile[]>;
  read(path: string, sizeBytes: number): AsyncIterable<Buffer>;
  write(path: string, bytes: Readable): Promise<void>;
  /** Replaces a file of the new name. */
  rename(from: string, to: string): Promise<void>;
  close(): void;
}
