import type { Pool } from 'pg';
import { withConnection } from '../transaction';
import { messageBytes } from '../wire/message-buffer';
import { readRows, type RowsStatement } from '../wire/read-rows';
import { RowFields } from '../wire/row-fields';
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
 *
 * @param statement gives the id, a bigint, and the text of each row
 * @param ids the order of the texts
 * @returns the texts in UTF-8 with commas between them, within the frame
 * @throws NotThere when one of them is gone
 */
export function readBodies(
  pool: Pool,
  statement: RowsStatement,
  ids: readonly number[],
  { frame, allocate = (bytes) => Buffer.allocUnsafeSlow(bytes) }: BodiesForm,
): Promise<Buffer> {
  return withConnection(pool, async (client, abandon) => {
    const bodies = new GatheredBodies();
    try {
      await readRows(client, statement, (messages) => {
        bodies.add(messages);
      });
      return bodies.inOrder(ids, frame, allocate);
    } catch (error) {
      // As the pool does with its own queries that fail.
      abandon();
      throw error;
    } finally {
      bodies.end();
    }
  });
}

const SCRATCH_BYTES = 256 * 1024;
/** More are not kept for the next page: they belong to one that was unusually large. */
const MOST_KEPT_BYTES = 1024 * 1024;
const MOST_KEPT = 10;
/** Buffers that a page is gathered in: a new one for each would have V8 collect garbage all the time. */
const scratches: Buffer[] = [];

const FIELD = { id: 0, body: 1, count: 2 } as const;

/** Rows in the order in which the server sends them. */
class GatheredBodies {
  private scratch = scratches.pop() ?? Buffer.allocUnsafeSlow(SCRATCH_BYTES);
  private used = 0;
  private readonly ids: number[] = [];
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private readonly fields = new RowFields(FIELD.count);

  /** Takes messages of rows, one after the other. */
  add(messages: Buffer): void {
    const start = this.used;
    this.used += messages.length;
    if (this.used > this.scratch.length) this.grow(start);
    messages.copy(this.scratch, start);
    for (let at = 0, end = 0; at < messages.length; at = end) {
      end = at + messageBytes(messages, at);
      this.fields.read(messages, at, end);
      this.ids.push(this.fields.bigint(FIELD.id));
      this.starts.push(start + this.fields.startOf(FIELD.body));
      this.ends.push(start + this.fields.endOf(FIELD.body));
    }
  }

  /** @throws NotThere when there is none with one of the ids */
  inOrder(ids: readonly number[], { before, after }: Frame, allocate: (bytes: number) => Buffer): Buffer {
    const rows = this.rowsOf(ids);
    const bodies = rows.reduce((sum, row) => sum + this.ends[row]! - this.starts[row]!, 0);
    const commas = Math.max(ids.length - 1, 0);
    const page = allocate(Buffer.byteLength(before) + bodies + commas + Buffer.byteLength(after));
    let at = page.write(before);
    for (const [index, row] of rows.entries()) {
      if (index > 0) at = page.writeUInt8(COMMA, at);
      at += this.scratch.copy(page, at, this.starts[row], this.ends[row]);
    }
    page.write(after, at);
    return page;
  }

  /** Its buffer is another's from then on. */
  end(): void {
    if (scratches.length < MOST_KEPT && this.scratch.length <= MOST_KEPT_BYTES) scratches.push(this.scratch);
    this.scratch = Buffer.alloc(0);
  }

  private rowsOf(ids: readonly number[]): number[] {
    const rows = new Map(this.ids.map((id, row) => [id, row]));
    return ids.map((id) => rows.get(id) ?? missing(id));
  }

  private grow(used: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(this.used, this.scratch.length * 2));
    this.scratch.copy(larger, 0, 0, used);
    this.scratch = larger;
  }
}

function missing(id: number): never {
  throw new NotThere(`the listing version ${id} is gone: its snapshot was pruned`);
}
