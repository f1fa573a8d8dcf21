import type { Duplex } from 'node:stream';
import { MessageBuffer, messageBytes } from './message-buffer';
import { MessageSocket } from './message-socket';

/** https://www.postgresql.org/docs/current/protocol-message-formats.html#PROTOCOL-MESSAGE-FORMATS-DATAROW */
const DATA_ROW = 'D'.charCodeAt(0);

/** Gets messages, whole; they are good while it runs. */
export type Take = (messages: Buffer) => void;

/**
 * What the server says on one connection, on its way to the driver. Rows can be taken out, as bytes: the driver would make
 * an object of each, and a string of each of its fields.
 *
 * From then on the bytes that the driver gets are good while it gets them, as with a `MessageSocket`: such a connection is none
 * for `pg-copy-streams`.
 */
export class RowMessages {
  private static readonly ofStreams = new WeakMap<Duplex, RowMessages>();
  private readonly driver: readonly Take[];
  private take: Take | null = null;

  /** @param stream of a connection that waits for a statement */
  static of(stream: Duplex): RowMessages {
    const known = this.ofStreams.get(stream);
    if (known !== undefined) return known;
    const messages = new RowMessages(stream);
    this.ofStreams.set(stream, messages);
    return messages;
  }

  private constructor(stream: Duplex) {
    this.driver = stream.listeners('data') as Take[];
    stream.removeAllListeners('data');
    const pass: Take = (messages) => {
      this.pass(messages);
    };
    if (stream instanceof MessageSocket) stream.on('data', pass);
    else {
      const buffer = new MessageBuffer();
      stream.on('data', (chunk: Buffer) => {
        buffer.addFrom(chunk, pass);
      });
    }
  }

  /** Rows go to `take` from now on; with null, to the driver again. */
  giveRowsTo(take: Take | null): void {
    this.take = take;
  }

  private pass(messages: Buffer): void {
    if (this.take === null) this.giveToDriver(messages);
    else this.sort(messages);
  }

  private sort(messages: Buffer): void {
    for (let at = 0; at < messages.length;) {
      const { take } = this;
      const isRow = take !== null && messages[at] === DATA_ROW;
      // Others come one by one: the last one of a statement may have somebody begin the next.
      const end = isRow ? endOfRows(messages, at) : at + messageBytes(messages, at);
      const run = messages.subarray(at, end);
      if (isRow) take(run);
      else this.giveToDriver(run);
      at = end;
    }
  }

  private giveToDriver(messages: Buffer): void {
    for (const take of this.driver) take(messages);
  }
}

function endOfRows(messages: Buffer, start: number): number {
  let at = start;
  while (at < messages.length && messages[at] === DATA_ROW) at += messageBytes(messages, at);
  return at;
}
