import { Buffer } from 'node:buffer';

const LINE_END = 10;
const TAB = 9;

/**
 * Passes on lines of `COPY` as text: a tab between values, a line end behind each row, and neither of them within a value.
 *
 * @param wants is told the values of the columns that it asks for, as text; what they have escaped stays so.
 */
export function linesThat(
  columns: readonly number[],
  wants: (values: readonly string[]) => boolean,
): (chunks: AsyncIterable<Buffer>) => AsyncGenerator<Buffer> {
  return async function* (chunks) {
    let rest: Buffer = Buffer.alloc(0);
    for await (const chunk of chunks) {
      const bytes: Buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const kept: Buffer[] = [];
      let start = 0;
      for (let end = bytes.indexOf(LINE_END); end !== -1; end = bytes.indexOf(LINE_END, start)) {
        const line = bytes.subarray(start, end + 1);
        if (wants(valuesOf(line, columns))) kept.push(line);
        start = end + 1;
      }
      rest = bytes.subarray(start);
      if (kept.length > 0) yield Buffer.concat(kept);
    }
    if (rest.length > 0) throw new Error('it ends within a row');
  };
}

function valuesOf(line: Buffer, columns: readonly number[]): string[] {
  const values: string[] = [];
  const last = Math.max(...columns);
  for (let column = 0, start = 0; column <= last; column += 1) {
    const tab = line.indexOf(TAB, start);
    const end = tab === -1 ? line.length - 1 : tab;
    if (columns.includes(column)) values[columns.indexOf(column)] = line.toString('utf8', start, end);
    start = end + 1;
  }
  return values;
}
