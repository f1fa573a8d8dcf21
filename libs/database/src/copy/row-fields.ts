/** A text in UTF-8 within other bytes. */
export interface ByteText {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/** Number of fields, then length and bytes of each: https://www.postgresql.org/docs/current/sql-copy.html */
const COUNT_BYTES = 2;
const LENGTH_BYTES = 4;
const NULL_LENGTH = -1;
const INT32_BYTES = 4;
const BIGINT_BYTES = 8;
/** The header of an array: number of dimensions, null flag, element type, number of elements, and lower bound. */
const ARRAY_HEAD = { bytes: 20, countAt: 12 } as const;

/** Positions of a row's fields in the binary format. One object reads one row after the other. */
export class RowFields {
  bytes: Buffer = Buffer.alloc(0);
  private readonly starts: Int32Array;
  private readonly lengths: Int32Array;

  constructor(private readonly count: number) {
    this.starts = new Int32Array(count);
    this.lengths = new Int32Array(count);
  }

  /** Reads the row that begins at `start`. @returns the position after the row @throws Error for another form */
  read(bytes: Buffer, start: number): number {
    this.bytes = bytes;
    if (bytes.readInt16BE(start) !== this.count) throw otherForm();
    let at = start + COUNT_BYTES;
    for (let field = 0; field < this.count; field += 1) {
      if (at + LENGTH_BYTES > bytes.length) throw otherForm();
      const length = bytes.readInt32BE(at);
      at += LENGTH_BYTES;
      this.starts[field] = at;
      this.lengths[field] = length;
      if (length !== NULL_LENGTH) at += length;
    }
    if (at > bytes.length) throw otherForm();
    return at;
  }

  isNull(field: number): boolean {
    return this.lengths[field] === NULL_LENGTH;
  }

  startOf(field: number): number {
    return this.starts[field]!;
  }

  endOf(field: number): number {
    if (this.isNull(field)) throw otherForm();
    return this.starts[field]! + this.lengths[field]!;
  }

  int32(field: number): number {
    if (this.lengths[field] !== INT32_BYTES) throw otherForm();
    return this.bytes.readInt32BE(this.starts[field]);
  }

  bigint(field: number): number {
    if (this.lengths[field] !== BIGINT_BYTES) throw otherForm();
    return this.bigintAt(this.starts[field]!);
  }

  /** The elements of a one-dimensional array without nulls. */
  bigints(field: number): number[] {
    const start = this.startOf(field);
    if (this.lengths[field]! < ARRAY_HEAD.bytes) throw otherForm();
    const count = this.bytes.readInt32BE(start + ARRAY_HEAD.countAt);
    if (this.lengths[field] !== ARRAY_HEAD.bytes + count * (LENGTH_BYTES + BIGINT_BYTES)) throw otherForm();
    const first = start + ARRAY_HEAD.bytes + LENGTH_BYTES;
    return Array.from({ length: count }, (_, index) => this.bigintAt(first + index * (LENGTH_BYTES + BIGINT_BYTES)));
  }

  /** The text of a field in the row that was read last; empty for null. */
  textOf(field: number): ByteText {
    return new FieldText(this, field);
  }

  private bigintAt(at: number): number {
    return this.bytes.readInt32BE(at) * 2 ** 32 + this.bytes.readUInt32BE(at + INT32_BYTES);
  }
}

class FieldText implements ByteText {
  constructor(
    private readonly fields: RowFields,
    private readonly field: number,
  ) {}

  get bytes(): Buffer {
    return this.fields.bytes;
  }

  get start(): number {
    return this.fields.startOf(this.field);
  }

  get end(): number {
    return this.fields.isNull(this.field) ? this.start : this.fields.endOf(this.field);
  }
}

/** The error for a statement that does not return the fields that the code reads. */
export function otherForm(): Error {
  return new Error('the database sent rows of another form');
}
