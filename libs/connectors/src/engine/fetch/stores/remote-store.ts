/** A server's entry for one of its files. */
export interface RemoteFile {
  sizeBytes: number;
  /** Exact to the second at least, by the server's clock; undefined when it does not say. */
  modifiedMs: number | undefined;
}

/** A file in a listing. */
export interface ListedFile {
  name: string;
  /** Good enough for telling which file is the newest; 0 when the server does not say. */
  modifiedMs: number;
}

/**
 * A logged-in connection to a server with files. Its methods throw FeedErrors for what the server says. Why not the clients
 * that the libraries bring: docs/decisions/0035.
 */
export interface RemoteStore {
  /** Undefined when there is no such file. */
  stat(path: string): Promise<RemoteFile | undefined>;
  /** The files of a directory that ends in `/`, or is empty. */
  list(directory: string): Promise<ListedFile[]>;
  read(path: string, sizeBytes: number): AsyncIterable<Buffer>;
  close(): void;
}
