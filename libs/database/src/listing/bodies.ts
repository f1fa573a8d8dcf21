import type { Pool } from 'pg';
import { type CopiedRows, copyOut } from '../copy/copy-out';
import { RowFields } from '../copy/row-fields';
import { withConnection } from '../transaction';
import { RowMissing } from './replica-reads';

export interface Frame {
  before: string;
  after: string;
}

export interface BodiesForm {
  frame: Frame;
  /** Allocates a buffer of exactly this size; by default a new one. */
  allocate?: ((bytes: number) => Buffer) | undefined;
}

const COMMA = 0x2c;
const FIELD = { id: 0, body: 1, count: 2 } as const;

/**
 * Texts in UTF-8, in the order of `ids`, separated by commas, within the frame. @throws RowMissing
 * @param query returns the id, a bigint, and the text of each row; it has no parameters
 */
export function readBodies(
  pool: Pool,
  query: string,
  ids: readonly number[],
  { frame, allocate = (bytes) => Buffer.allocUnsafeSlow(bytes) }: BodiesForm,
): Promise<Buffer> {
  return withBodies(pool, query, (bodies) => bodies.inOrder(ids, frame, allocate));
}

/** Reads each text into its own buffer, so that the caller can keep single texts. */
export function readEachBody(pool: Pool, query: string, ids: readonly number[]): Promise<Buffer[]> {
  return withBodies(pool, query, (bodies) => ids.map((id) => bodies.copyOf(id)));
}

function withBodies<T>(pool: Pool, query: string, use: (bodies: Bodies) => T): Promise<T> {
  return withConnection(pool, async (client, abandon) => {
    try {
      const fields = new RowFields(FIELD.count);
      return await copyOut(client, query, fields, (rows) => use(new Bodies(rows, fields)));
    } catch (error) {
      // Discard the connection, as the pool does after its own queries fail.
      abandon();
      throw error;
    }
  });
}

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

  /** @throws RowMissing when an id has no row */
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

  /** @throws RowMissing when the id has no row */
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
