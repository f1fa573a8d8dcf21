import type { Connection, PoolClient, Submittable } from 'pg';
import { releaseMessage } from './copy-rows';

/** Rows for one table. */
export interface Copy {
  /** The table's name and columns, in the syntax of `COPY`. */
  table: string;
  /** The protocol message that `CopyRows` built. */
  rows: Buffer;
}

/**
 * Copies in one transaction, and releases the rows' memory. After a crash, rows exist if any later synchronous commit
 * does. @throws DatabaseError
 */
export async function copyIn(client: PoolClient, copies: readonly Copy[]): Promise<void> {
  await send(client, copies);
  // After an error the connection may still refer to the messages.
  for (const { rows } of copies) releaseMessage(rows);
}

function send(client: PoolClient, copies: readonly Copy[]): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(
      new CopyIn(copies, (error) => {
        if (error === null) resolve();
        else reject(error);
      }),
    );
  });
}

// The driver has this member, but no types for it.
declare module 'pg' {
  interface Connection {
    endCopyFrom(): void;
  }
}

/** The interface that the driver expects from a query. Several statements in one message are one transaction. */
class CopyIn implements Submittable {
  private error: Error | null = null;

  constructor(
    private readonly copies: readonly Copy[],
    private readonly onEnd: (error: Error | null) => void,
  ) {}

  /** Sends everything without waiting for the server's prompts. After an error PostgreSQL ignores the remaining rows. */
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
    // `submit` has already sent the rows.
  }

  handleCommandComplete(): void {
    // One statement has ended; `handleReadyForQuery` follows the last one.
  }

  /** The driver also calls this when the connection is lost, and then makes no other call. */
  handleError(error: Error): void {
    this.error = error;
    this.onEnd(error);
  }

  handleReadyForQuery(): void {
    if (this.error === null) this.onEnd(null);
  }
}
