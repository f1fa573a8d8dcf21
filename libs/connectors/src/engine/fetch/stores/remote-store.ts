/** A server's entry for one of its files. */
export interface RemoteFile {
  sizeBytes: number;
  /** Exact to at least a second, by the server's clock; undefined when the server does not state it. */
  modifiedMs: number | undefined;
}

/** A file in a listing. */
export interface ListedFile {
  name: string;
  /** Exact enough to find the newest file; 0 when the server does not state it. */
  modifiedMs: number;
}

/**
 * A logged-in connection to a file server. Its methods throw FeedErrors for the server's error answers.
 * docs/decisions/0035 says why the libraries' own clients are not used.
 */
export interface RemoteStore {
  /** Undefined when there is no such file. */
  stat(path: string): Promise<RemoteFile | undefined>;
  /** The files of a directory that ends in `/`, or is empty. */
  list(directory: string): Promise<ListedFile[]>;
  read(path: string, sizeBytes: number): AsyncIterable<Buffer>;
  close(): void;
}
