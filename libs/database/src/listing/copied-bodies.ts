import type { Connection, Pool, PoolClient, Submittable } from 'pg';
import { END, HEADER, SIGNATURE } from '../copy/binary-format';
import { withConnection } from '../transaction';
import { NotThere } from './replica-reads';

/** Texts around those that are read. */
export interface Frame {
  before: string;
  after: string;
}

/** What texts become one buffer by. */
export interface BodiesForm {
  frame: Frame;
  /** Makes the buffer, of exactly so many bytes; default new memory. */
  allocate?: ((bytes: number) => Buffer) | undefined;
}

const COMMA = 0x2c;

/**
 * Reads texts by their ids as bytes: what the driver decodes into strings would only be encoded again to be sent.
 * `COPY … TO STDOUT` in the binary format hands out each text as it is stored.
 *
 * @param query gives the id, a bigint, and the text of each row; no parameters, for COPY takes none
 * @param ids the order of the texts
 * @returns the texts in UTF-8 with commas between them, within the frame
 * @throws NotThere when one of them is gone
 */
export function copyBodies(
  pool: Pool,
  query: string,
  ids: readonly number[],
  { frame, allocate = (bytes) => Buffer.allocUnsafeSlow(bytes) }: BodiesForm,
): Promise<Buffer> {
  return withConnection(pool, async (client, abandon) => {
    const rows = new CopiedRows();
    try {
      await copyInto(rows, client, query);
      return rows.inOrder(ids, frame, allocate);
    } catch (error) {
      // As the pool does with its own queries that fail.
      abandon();
      throw error;
    } finally {
      rows.end();
    }
  });
}

function copyInto(rows: CopiedRows, client: PoolClient, query: string): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(new BodiesCopy(`COPY (${query}) TO STDOUT (FORMAT binary)`, rows, resolve, reject));
  });
}

const SCRATCH_BYTES = 256 * 1024;
/** More are not kept for the next page: they belong to one that was unusually large. */
const MOST_KEPT_BYTES = 1024 * 1024;
const MOST_KEPT = 10;
/** Buffers that a page is gathered in: a new one for each would have V8 collect garbage all the time. */
const scratches: Buffer[] = [];

/** Rows in the order in which the server sends them. */
class CopiedRows {
  private scratch = scratches.pop() ?? Buffer.allocUnsafeSlow(SCRATCH_BYTES);
  private used = 0;
  private readonly places = new Map<number, { start: number; end: number }>();

  add(id: number, body: Buffer): void {
    const start = this.used;
    const end = start + body.length;
    if (end > this.scratch.length) this.grow(end);
    this.scratch.set(body, start);
    this.used = end;
    this.places.set(id, { start, end });
  }

  /** @throws NotThere when there is none with one of the ids */
  inOrder(ids: readonly number[], { before, after }: Frame, allocate: (bytes: number) => Buffer): Buffer {
    const places = ids.map((id) => this.places.get(id) ?? missing(id));
    const bodies = places.reduce((sum, { start, end }) => sum + end - start, 0);
    const commas = Math.max(ids.length - 1, 0);
    const page = allocate(Buffer.byteLength(before) + bodies + commas + Buffer.byteLength(after));
    let at = page.write(before);
    for (const [index, { start, end }] of places.entries()) {
      if (index > 0) at = page.writeUInt8(COMMA, at);
      at += this.scratch.copy(page, at, start, end);
    }
    page.write(after, at);
    return page;
  }

  /** Its buffer is another's from then on. */
  end(): void {
    if (scratches.length < MOST_KEPT && this.scratch.length <= MOST_KEPT_BYTES) scratches.push(this.scratch);
    this.scratch = Buffer.alloc(0);
  }

  private grow(bytes: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(bytes, this.scratch.length * 2));
    this.scratch.copy(larger, 0, 0, this.used);
    this.scratch = larger;
  }
}

/** A statement as the driver carries it out: it calls what is named `handle…` for each message of the server. */
class BodiesCopy implements Submittable {
  private fault: Error | null = null;

  constructor(
    private readonly text: string,
    private readonly rows: CopiedRows,
    private readonly resolve: () => void,
    private readonly reject: (error: Error) => void,
  ) {}

  submit(connection: Connection): void {
    connection.query(this.text);
  }

  /** The server sends one row in each message; the first has the header in front. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (this.fault !== null) return;
    const start =
      chunk.length > HEADER.length && SIGNATURE.equals(chunk.subarray(0, SIGNATURE.length)) ? HEADER.length : 0;
    const fields = chunk.readInt16BE(start);
    if (fields === END) return;
    const body = chunk.subarray(start + 18);
    if (fields !== 2 || chunk.readInt32BE(start + 14) !== body.length) {
      this.fault = new Error('COPY sent rows of another form');
    } else this.rows.add(Number(chunk.readBigInt64BE(start + 6)), body);
  }

  handleReadyForQuery(): void {
    if (this.fault === null) this.resolve();
    else this.reject(this.fault);
  }

  handleError(error: Error): void {
    this.reject(error);
  }

  handleCommandComplete(): void {
    // What follows says so, too.
  }
}

function missing(id: number): never {
  throw new NotThere(`the listing version ${id} is gone: its snapshot was pruned`);
}
