import { givenBack } from '@passerelle/domain';

/** Signature, no flags, no extension: https://www.postgresql.org/docs/current/sql-copy.html */
export const HEADER = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
/** The end marker; it replaces a row's number of values. */
export const END = -1;

/** A letter and a length: https://www.postgresql.org/docs/current/protocol-message-formats.html */
const MESSAGE = Buffer.from('d\0\0\0\0', 'latin1');
const LENGTH_AT = 1;
const FIRST_BYTES = 64 * 1024;
const NULL = -1;
/** The largest number of UTF-8 bytes for one UTF-16 unit. */
const MOST_BYTES = 3;

/** Larger memory is not kept, because messages of this size are rare. */
const MOST_KEPT_BYTES = 2 * 1024 * 1024;
const MOST_KEPT = 10;
/** Unused memory for later messages. Without it V8 collects the whole heap several times in each large import. */
const unused: Buffer[] = [];

/** Makes the memory of a message available again. Call it only when the message was sent completely. */
export function releaseMessage(message: Buffer): void {
  const memory = Buffer.from(message.buffer);
  givenBack(memory);
  if (memory.length <= MOST_KEPT_BYTES && unused.length < MOST_KEPT) unused.push(memory);
}

function memoryFor(bytes: number): Buffer {
  const index = unused.findIndex(({ length }) => length >= bytes);
  if (index >= 0) return unused.splice(index, 1)[0]!;
  return Buffer.allocUnsafeSlow(2 ** Math.ceil(Math.log2(Math.max(FIRST_BYTES, bytes))));
}

/** Builds the protocol message, because the driver would copy rows twice. Values have their columns' exact types. */
export class CopyRows {
  private buffer: Buffer;
  private used: number;

  /** @param bytes the approximate size of the rows. */
  constructor(bytes = 0) {
    this.buffer = memoryFor(bytes);
    this.used = MESSAGE.copy(this.buffer);
    this.used += HEADER.copy(this.buffer, this.used);
  }

  begin(values: number): this {
    this.makeRoom(2);
    this.used = this.buffer.writeInt16BE(values, this.used);
    return this;
  }

  integer(value: number): this {
    this.makeRoom(8);
    this.used = this.buffer.writeInt32BE(4, this.used);
    this.used = this.buffer.writeInt32BE(value, this.used);
    return this;
  }

  bigint(value: number): this {
    this.makeRoom(12);
    this.used = this.buffer.writeInt32BE(8, this.used);
    this.used = this.buffer.writeInt32BE(Math.floor(value / 2 ** 32), this.used);
    this.used = this.buffer.writeUInt32BE(value % 2 ** 32, this.used);
    return this;
  }

  text(value: string | null): this {
    if (value === null) return this.length(NULL);
    this.makeRoom(4 + value.length * MOST_BYTES);
    const length = this.buffer.write(value, this.used + 4);
    this.length(length);
    this.used += length;
    return this;
  }

  /** A text as UTF-8. */
  bytes(value: Buffer): this {
    this.makeRoom(4 + value.length);
    this.length(value.length);
    this.used += value.copy(this.buffer, this.used);
    return this;
  }

  /** @returns the message. Add nothing after this call. */
  end(): Buffer {
    this.makeRoom(2);
    this.used = this.buffer.writeInt16BE(END, this.used);
    this.buffer.writeInt32BE(this.used - LENGTH_AT, LENGTH_AT);
    return this.buffer.subarray(0, this.used);
  }

  private length(length: number): this {
    this.makeRoom(4);
    this.used = this.buffer.writeInt32BE(length, this.used);
    return this;
  }

  private makeRoom(bytes: number): void {
    if (this.used + bytes <= this.buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.buffer.length * 2, this.used + bytes));
    this.buffer.copy(larger, 0, 0, this.used);
    this.buffer = larger;
  }
}
