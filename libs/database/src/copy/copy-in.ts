import type { Connection, PoolClient, Submittable } from 'pg';

/** Rows for one table. */
export interface Copy {
  /** Its name and columns, as `COPY` names them. */
  table: string;
  /** The message of its `CopyRows`. */
  rows: Buffer;
}

/**
 * Adds rows to several tables, in this order and in one transaction and one round trip. PostgreSQL does not wait for its
 * disk: after a crash the rows are there when anything is that was committed later and waited.
 *
 * @throws DatabaseError when PostgreSQL refuses a row: then nothing was added.
 */
export function copyIn(client: PoolClient, copies: readonly Copy[]): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(
      new CopyIn(copies, (error) => {
        if (error === null) resolve();
        else reject(error);
      }),
    );
  });
}

// The driver has it, and no types for it.
declare module 'pg' {
  interface Connection {
    endCopyFrom(): void;
  }
}

/** What the driver asks of a query that it sends. Several statements in one message are one transaction. */
class CopyIn implements Submittable {
  private error: Error | null = null;

  constructor(
    private readonly copies: readonly Copy[],
    private readonly onEnd: (error: Error | null) => void,
  ) {}

  /** Sends everything without waiting to be asked. After an error PostgreSQL passes over the rows that follow. */
  submit(connection: Connection): void {
    const statements = this.copies.map(({ table }) => `COPY ${table} FROM STDIN (FORMAT binary)`);
    connection.stream.cork();
    connection.query(['SET LOCAL synchronous_commit TO off', ...statements].join('; '));
    for (const { rows } of this.copies) {
      connection.stream.write(rows);
      connection.endCopyFrom();
    }
    connection.stream.uncork();
  }

  handleCopyInResponse(): void {
    // The rows are on their way.
  }

  handleCommandComplete(): void {
    // The end of one statement: the last one is followed by `handleReadyForQuery`.
  }

  /** Also called when the connection is lost: then nothing follows. */
  handleError(error: Error): void {
    this.error = error;
    this.onEnd(error);
  }

  handleReadyForQuery(): void {
    if (this.error === null) this.onEnd(null);
  }
}
