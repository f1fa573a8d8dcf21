import { BadFeed } from '@passerelle/domain';
import { type LineJoining, sliceLines } from '../engine/cut/line-slicer';
import { type FeedDocument, RecordError, type Slice } from '../kit/contracts';

export interface PipeRows {
  columns: number;
  /** Matches the start of a row. It must match neither a text that continues on the next line nor another format. */
  startsRow: RegExp;
  /** Whether the last cells of a row may be missing. */
  mayBeShort?: (row: Buffer) => boolean;
  /** How the error message "the document is …" ends when the file has another format. */
  otherwise: string;
}

const SEPARATOR = 0x7c;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const HEAD_BYTES = 64;

export function headOf(row: Buffer): string {
  return row.toString('latin1', 0, HEAD_BYTES);
}

/** A text continues on the next line unless that line starts a row. @throws BadFeed when the first line starts no row. */
export async function* slicePipeRows(document: FeedDocument, rows: PipeRows): AsyncGenerator<Slice> {
  let lastByte: number | undefined;
  const watched: FeedDocument = {
    name: document.name,
    async *open() {
      for await (const chunk of document.open()) {
        lastByte = chunk.at(-1) ?? lastByte;
        yield chunk;
      }
    },
  };
  // The last row is held back, because only the end of the file shows whether it is whole.
  let pending: Extract<Slice, { kind: 'record' }> | undefined;
  let isFirst = true;
  for await (const slice of sliceLines(watched, { joining: joiningOf(rows) })) {
    if (pending !== undefined) yield pending;
    pending = undefined;
    if (isFirst && slice.kind === 'record' && !rows.startsRow.test(headOf(slice.bytes)))
      throw new BadFeed(`the document is ${rows.otherwise}: its first line is not the start of a row between "|"`);
    isFirst = false;
    // Copied, because the reader may reuse the memory.
    if (slice.kind === 'record') pending = { ...slice, bytes: Buffer.from(slice.bytes) };
    else yield slice;
  }
  if (pending === undefined) return;
  if (countSeparators(pending.bytes) + 1 >= rows.columns) {
    yield pending;
    return;
  }
  const message = 'the file ends inside a row';
  const hasLineEnd = lastByte === LINE_FEED || lastByte === CARRIAGE_RETURN;
  if (!hasLineEnd) yield { kind: 'broken', bytes: pending.bytes, line: pending.line, message };
  // A line end shows that the identifier is complete: the mapping rejects the row under its identifier.
  else yield pending;
  if (!hasLineEnd || isCutAtLineBreak(pending.bytes, rows)) yield { kind: 'incomplete', message };
}

/** A line break at the end of the file may belong to a text that was cut there. */
function isCutAtLineBreak(row: Buffer, { startsRow, mayBeShort }: PipeRows): boolean {
  return startsRow.test(headOf(row)) && mayBeShort?.(row) !== true;
}

export function cellsOf(text: string): string[] {
  return text.split('|').map((cell) => cell.trim());
}

/**
 * Rejects a row with a wrong number of cells, because private cells may have moved. `id` is the identifier's column.
 * @throws RecordError
 */
export function wholeRow(text: string, { columns }: Pick<PipeRows, 'columns'>, id: number): string[] {
  const cells = cellsOf(text);
  if (cells.length === columns) return cells;
  const why = cells.length > columns ? 'there is a "|" in a text' : 'it was cut';
  // The identifier is complete if another cell follows it.
  const named = cells.length > id + 1 && cells[id] !== '' ? cells[id] : undefined;
  const message = `the row has ${cells.length} columns instead of ${columns}: ${why}`;
  throw new RecordError('malformed', message, undefined, named);
}

function joiningOf({ columns, startsRow }: PipeRows): LineJoining {
  let separators = 0;
  return {
    leavesOpen(line, wasOpen) {
      separators = (wasOpen ? separators : 0) + countSeparators(line);
      return separators < columns - 1;
    },
    startsRecord: (line) => startsRow.test(headOf(line)),
  };
}

function countSeparators(bytes: Buffer): number {
  let found = 0;
  for (let at = bytes.indexOf(SEPARATOR); at !== -1; at = bytes.indexOf(SEPARATOR, at + 1)) found += 1;
  return found;
}
