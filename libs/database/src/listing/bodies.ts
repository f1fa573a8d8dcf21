import type { Pool } from 'pg';
import { type CopiedRows, copyOut } from '../copy/copy-out';
import { RowFields } from '../copy/row-fields';
import { withConnection } from '../transaction';
import { RowMissing } from './replica-reads';

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
const FIELD = { id: 0, body: 1, count: 2 } as const;

/**
 * Reads texts by their ids as bytes: what the driver decodes into strings would only be encoded again to be sent.
 *
 * @param query gives the id, a bigint, and the text of each row; it has no parameters
 * @param ids the order of the texts
 * @returns the texts in UTF-8 with commas between them, within the frame
 * @throws RowMissing when one of them is gone
 */
export function readBodies(
  pool: Pool,
  query: string,
  ids: readonly number[],
  { frame, allocate = (bytes) => Buffer.allocUnsafeSlow(bytes) }: BodiesForm,
): Promise<Buffer> {
  return withBodies(pool, query, (bodies) => bodies.inOrder(ids, frame, allocate));
}

/** The same, but each text in memory of its own, so that one can be kept without the others. */
export function readEachBody(pool: Pool, query: string, ids: readonly number[]): Promise<Buffer[]> {
  return withBodies(pool, query, (bodies) => ids.map((id) => bodies.copyOf(id)));
}

function withBodies<T>(pool: Pool, query: string, use: (bodies: Bodies) => T): Promise<T> {
  return withConnection(pool, async (client, abandon) => {
    try {
      const fields = new RowFields(FIELD.count);
      return await copyOut(client, query, fields, (rows) => use(new Bodies(rows, fields)));
    } catch (error) {
      // As the pool does with its own queries that fail.
      abandon();
      throw error;
    }
  });
}

/** Rows in the order in which the server sends them. */
class Bodies {
  private readonly rowOfId = new Map<number, number>();
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];

  constructor(
    private readonly rows: CopiedRows,
    fields: RowFields,
  ) {
    rows.forEach(() => {
      this.rowOfId.set(fields.bigint(FIELD.id), this.starts.length);
      this.starts.push(fields.startOf(FIELD.body));
      this.ends.push(fields.endOf(FIELD.body));
    });
  }

  /** @throws RowMissing when there is none with one of the ids */
  inOrder(ids: readonly number[], { before, after }: Frame, allocate: (bytes: number) => Buffer): Buffer {
    const rows = ids.map((id) => this.rowOf(id));
    const bodies = rows.reduce((sum, row) => sum + this.ends[row]! - this.starts[row]!, 0);
    const commas = Math.max(ids.length - 1, 0);
    const page = allocate(Buffer.byteLength(before) + bodies + commas + Buffer.byteLength(after));
    let at = page.write(before);
    for (const [index, row] of rows.entries()) {
      if (index > 0) at = page.writeUInt8(COMMA, at);
      at += this.rows.bytes.copy(page, at, this.starts[row], this.ends[row]);
    }
    page.write(after, at);
    return page;
  }

  /** @throws RowMissing when there is none with that id */
  copyOf(id: number): Buffer {
    const row = this.rowOf(id);
    const text = Buffer.allocUnsafeSlow(this.ends[row]! - this.starts[row]!);
    this.rows.bytes.copy(text, 0, this.starts[row], this.ends[row]);
    return text;
  }

  private rowOf(id: number): number {
    return this.rowOfId.get(id) ?? missing(id);
  }
}

function missing(id: number): never {
  throw new RowMissing(`the listing version ${id} is gone: its snapshot was pruned`);
}
