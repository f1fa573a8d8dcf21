import { BadFeed } from '@passerelle/domain';
import { type LineJoining, sliceLines } from '../engine/cut/line-slicer';
import { type FeedPart, RecordError, type Slice } from '../kit/contracts';

/** What rows between `|` look like, for formats that have no header. */
export interface PipeRows {
  /** As many as every row has. */
  columns: number;
  /** How a row starts: neither a text that goes on in the next line, nor another format. */
  startsRow: RegExp;
  /** A row whose last cells may be missing. */
  mayBeShort?: (row: Buffer) => boolean;
  /** The end of "the document is": what it is not. */
  otherwise: string;
}

const SEPARATOR = 0x7c;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const HEAD_BYTES = 64;

/** The start of a row, roughly decoded. */
export function headOf(row: Buffer): string {
  return row.toString('latin1', 0, HEAD_BYTES);
}

/**
 * Cuts rows of cells between `|`, without any quoting. A text with a line break in it goes on in the next line, unless that one
 * starts a row. A file that ends inside a row is not complete.
 *
 * @throws BadFeed when the first line starts no row.
 */
export async function* slicePipeRows(part: FeedPart, rows: PipeRows): AsyncGenerator<Slice> {
  let lastByte: number | undefined;
  const watched: FeedPart = {
    name: part.name,
    async *open() {
      for await (const chunk of part.open()) {
        lastByte = chunk.at(-1) ?? lastByte;
        yield chunk;
      }
    },
  };
  // One behind, since only the end of the file tells whether its last row is whole.
  let pending: Extract<Slice, { kind: 'record' }> | undefined;
  let isFirst = true;
  for await (const slice of sliceLines(watched, { joining: joiningOf(rows) })) {
    if (pending !== undefined) yield pending;
    pending = undefined;
    if (isFirst && slice.kind === 'record' && !rows.startsRow.test(headOf(slice.bytes)))
      throw new BadFeed(`the document is ${rows.otherwise}: its first line starts no row between "|"`);
    isFirst = false;
    // The reader may use the memory again.
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
  // With its line end the identifier is whole, and the row is rejected by it.
  else yield pending;
  if (!hasLineEnd || isCutAtLineBreak(pending.bytes, rows)) yield { kind: 'incomplete', message };
}

/** A line break at the end of the file may be one of a text that was cut there. */
function isCutAtLineBreak(row: Buffer, { startsRow, mayBeShort }: PipeRows): boolean {
  return startsRow.test(headOf(row)) && mayBeShort?.(row) !== true;
}

/** The cells of a row, without blanks around them. */
export function cellsOf(text: string): string[] {
  return text.split('|').map((cell) => cell.trim());
}

/**
 * The cells of a row that has all its columns. A `|` inside a text moves all cells behind it, private ones among them, into
 * wrong places: such a row is rejected, never guessed, and so is one that is too short, as a text may be what it lacks.
 *
 * @param id the column of the identifier.
 * @throws RecordError
 */
export function wholeRow(text: string, { columns }: Pick<PipeRows, 'columns'>, id: number): string[] {
  const cells = cellsOf(text);
  if (cells.length === columns) return cells;
  const why = cells.length > columns ? 'there is a "|" in a text' : 'it was cut';
  // With a cell behind it the identifier is whole.
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
