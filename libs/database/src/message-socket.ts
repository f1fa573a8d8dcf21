import { Socket } from 'node:net';

const FIRST_BYTES = 128 * 1024;
/** After a message that is larger than this, memory is taken anew. */
const MOST_KEPT_BYTES = 1024 * 1024;
/** A letter, and a length that counts itself: https://www.postgresql.org/docs/current/protocol-message-formats.html */
const HEAD_BYTES = 5;
const LENGTH_AT = 1;

/** Bytes of PostgreSQL's messages as they come, in memory that is used again. */
export class MessageBuffer {
  private storage = Buffer.allocUnsafeSlow(FIRST_BYTES);
  private end = 0;

  /** Where the next bytes belong; never empty. */
  get free(): Buffer {
    return this.storage.subarray(this.end);
  }

  /** Takes note of bytes that were read into `free`. @param take gets all messages that are whole; good while it runs. */
  add(bytes: number, take: (messages: Buffer) => void): void {
    this.end += bytes;
    const whole = this.endOfMessages();
    if (whole > 0) {
      take(this.storage.subarray(0, whole));
      this.storage.copyWithin(0, whole, this.end);
      this.end -= whole;
    }
    this.makeRoom();
  }

  private endOfMessages(): number {
    let whole = 0;
    while (this.end - whole >= HEAD_BYTES) {
      const next = whole + this.messageBytes(whole);
      if (next > this.end) break;
      whole = next;
    }
    return whole;
  }

  private messageBytes(at: number): number {
    // A length that is none is for the driver to find: it gets what is there.
    return Math.max(HEAD_BYTES, LENGTH_AT + this.storage.readInt32BE(at + LENGTH_AT));
  }

  /** For the rest of the message that has begun. */
  private makeRoom(): void {
    const wanted = this.end < HEAD_BYTES ? FIRST_BYTES : Math.max(this.messageBytes(0), FIRST_BYTES);
    const isUnusual = this.storage.length > MOST_KEPT_BYTES && wanted <= MOST_KEPT_BYTES;
    if (wanted <= this.storage.length && !isUnusual) return;
    const storage = Buffer.allocUnsafeSlow(wanted);
    this.storage.copy(storage, 0, 0, this.end);
    this.storage = storage;
  }
}

/**
 * A connection to PostgreSQL that reads into its own memory, again and again, where Node would take new memory for each
 * read, and the driver for each message that two reads share: for pages and dumps V8 collected little else.
 *
 * What it emits is good while it is emitted: whoever keeps bytes of a message copies them. The driver does.
 */
class MessageSocket extends Socket {
  constructor() {
    const messages = new MessageBuffer();
    super({
      // Known to the constructor as to `connect`, and not to the types.
      ...({
        onread: {
          buffer: () => messages.free,
          callback: (bytes: number) => {
            messages.add(bytes, (whole) => this.emit('data', whole));
            return true;
          },
        },
      } as object),
    });
  }
}

/** What the driver makes its connections with. TLS, which comes between, needs Node's own. */
export function openStream(config?: { ssl?: unknown }): Socket {
  return config?.ssl === undefined || config.ssl === false ? new MessageSocket() : new Socket();
}
