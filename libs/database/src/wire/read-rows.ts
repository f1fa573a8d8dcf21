import type { Connection, PoolClient, Submittable } from 'pg';
import { RowMessages, type Take } from './row-messages';

/** A plan is made for tables of the size that they had: one that had few rows and got many needs another. */
const KEPT_MS = 10_000;

export interface RowsStatement {
  text: string;
  /** `$1` and so on, as texts. */
  values: readonly string[];
}

/**
 * Reads rows as the server sends them, in the binary form: messages of one row each, which begin with a letter and a length.
 * The statement is prepared on this connection, so that it is not planned each time.
 *
 * @param take gets some rows at a time; they are good while it runs
 * @throws what `take` throws, and what the server or the connection says; the connection must not be used again then
 */
export function readRows(client: PoolClient, statement: RowsStatement, take: Take): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(new RowsRead(statement, take, resolve, reject));
  });
}

interface Prepared {
  name: string;
  sinceMs: number;
}

/** By connection and text. */
const prepared = new WeakMap<Connection, Map<string, Prepared>>();

/** A statement as the driver carries it out: it calls what is named `handle…` for each message of the server. */
class RowsRead implements Submittable {
  private failure: Error | null = null;

  constructor(
    private readonly statement: RowsStatement,
    private readonly take: Take,
    private readonly resolve: () => void,
    private readonly reject: (error: Error) => void,
  ) {}

  submit(connection: Connection): void {
    RowMessages.of(connection.stream).giveRowsTo((messages) => {
      this.hand(messages);
    });
    connection.stream.cork();
    connection.bind({ statement: this.prepare(connection), values: [...this.statement.values], binary: 'all' }, true);
    connection.execute({ portal: '' }, true);
    connection.sync();
    connection.stream.uncork();
  }

  handleReadyForQuery(connection: Connection): void {
    RowMessages.of(connection.stream).giveRowsTo(null);
    if (this.failure === null) this.resolve();
    else this.reject(this.failure);
  }

  handleError(error: Error): void {
    this.reject(error);
  }

  handleCommandComplete(): void {
    // What follows says so, too.
  }

  /** The rows that follow a failure are read all the same: the server has sent them. */
  private hand(messages: Buffer): void {
    if (this.failure !== null) return;
    try {
      this.take(messages);
    } catch (error) {
      this.failure = error instanceof Error ? error : new Error(String(error));
    }
  }

  /** @returns the statement's name on this connection. */
  private prepare(connection: Connection): string {
    const { text } = this.statement;
    const statements = prepared.get(connection) ?? new Map<string, Prepared>();
    prepared.set(connection, statements);
    const nowMs = performance.now();
    const { name, sinceMs } = statements.get(text) ?? { name: `rows-${statements.size + 1}`, sinceMs: -Infinity };
    if (nowMs - sinceMs < KEPT_MS) return name;
    // The server does not mind when there is none.
    connection.close({ type: 'S', name }, true);
    connection.parse({ name, text, types: [] }, true);
    statements.set(text, { name, sinceMs: nowMs });
    return name;
  }
}
