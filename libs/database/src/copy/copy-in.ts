import type { Connection, PoolClient, Submittable } from 'pg';

/** Rows for one table. */
export interface Copy {
  /** Its name and columns, as `COPY` names them. */
  table: string;
  /** In the binary form of `COPY`. */
  rows: Buffer;
}

/**
 * Adds rows to several tables, in this order and in one transaction and one round trip.
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

/** The driver's own copies: it has them, and no types for them. */
interface CopyConnection extends Connection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** What the driver asks of a query that it sends. Several statements in one message are one transaction. */
class CopyIn implements Submittable {
  private next = 0;
  private error: Error | null = null;

  constructor(
    private readonly copies: readonly Copy[],
    private readonly onEnd: (error: Error | null) => void,
  ) {}

  submit(connection: Connection): void {
    connection.query(this.copies.map(({ table }) => `COPY ${table} FROM STDIN (FORMAT binary)`).join('; '));
  }

  handleCopyInResponse(connection: CopyConnection): void {
    const copy = this.copies[this.next];
    this.next += 1;
    if (copy !== undefined) connection.sendCopyFromChunk(copy.rows);
    connection.endCopyFrom();
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
