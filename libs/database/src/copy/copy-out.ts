import type { PoolClient } from 'pg';
import { to } from 'pg-copy-streams';
import { END, HEADER } from './copy-rows';
import { CopiedBytes } from './copied-bytes';
import { otherForm, type RowFields } from './row-fields';

/**
 * Reads rows as bytes, because the driver would decode the texts into strings.
 * @param query has no parameters, because `COPY` takes none: see `integers`
 * @param use gets all rows, which are valid only during this call
 * @throws errors of the server, the connection and `use`; after an error the connection must not be used again
 */
export async function copyOut<T>(
  client: PoolClient,
  query: string,
  fields: RowFields,
  use: (rows: CopiedRows) => T,
): Promise<T> {
  const copied = CopiedBytes.take();
  try {
    const stream = client.query(to(`COPY (${query}) TO STDOUT (FORMAT binary)`));
    // A connection may also break after the last row: without a listener the error would end the process.
    stream.on('error', () => undefined);
    const chunks: AsyncIterable<Buffer> = stream;
    for await (const chunk of chunks) copied.add(chunk);
    return use(new CopiedRows(copied.bytes, fields));
  } finally {
    copied.giveBack();
  }
}

/** Rows in the binary form of `COPY`. */
export class CopiedRows {
  constructor(
    readonly bytes: Buffer,
    private readonly fields: RowFields,
  ) {}

  /** Calls `take` with each row's start; its fields are readable during the call. @throws Error for another form */
  forEach(take: (start: number) => void): void {
    const { bytes, fields } = this;
    if (!bytes.subarray(0, HEADER.length).equals(HEADER)) throw otherForm();
    let at = HEADER.length;
    while (at + 2 <= bytes.length && bytes.readInt16BE(at) !== END) {
      const start = at;
      at = fields.read(bytes, start);
      take(start);
    }
    if (at + 2 !== bytes.length) throw otherForm();
  }
}

/** Formats numbers for a query. @throws Error when one of them is not an integer */
export function integers(...values: readonly number[]): string {
  for (const value of values) if (!Number.isSafeInteger(value)) throw new Error(`${value} is no integer`);
  return values.join();
}
