const FIRST_BYTES = 128 * 1024;
/** After a message that is larger than this, memory is taken anew. */
const MOST_KEPT_BYTES = 1024 * 1024;
/** A letter, and a length that counts itself: https://www.postgresql.org/docs/current/protocol-message-formats.html */
const HEAD_BYTES = 5;
const LENGTH_AT = 1;

/** The size of the message that begins at `at`. A length that is none is for the driver to find: it gets what is there. */
export function messageBytes(messages: Buffer, at: number): number {
  return Math.max(HEAD_BYTES, LENGTH_AT + messages.readInt32BE(at + LENGTH_AT));
}

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

  /** The same for bytes that were read elsewhere. */
  addFrom(chunk: Buffer, take: (messages: Buffer) => void): void {
    for (let at = 0; at < chunk.length;) {
      const bytes = chunk.copy(this.free, 0, at);
      at += bytes;
      this.add(bytes, take);
    }
  }

  private endOfMessages(): number {
    let whole = 0;
    while (this.end - whole >= HEAD_BYTES) {
      const next = whole + messageBytes(this.storage, whole);
      if (next > this.end) break;
      whole = next;
    }
    return whole;
  }

  /** For the rest of the message that has begun. */
  private makeRoom(): void {
    const wanted = this.end < HEAD_BYTES ? FIRST_BYTES : Math.max(messageBytes(this.storage, 0), FIRST_BYTES);
    const isUnusual = this.storage.length > MOST_KEPT_BYTES && wanted <= MOST_KEPT_BYTES;
    if (wanted <= this.storage.length && !isUnusual) return;
    const storage = Buffer.allocUnsafeSlow(wanted);
    this.storage.copy(storage, 0, 0, this.end);
    this.storage = storage;
  }
}
