import { BadFeed } from '@passerelle/domain';

import { type LineJoining, sliceLines } from '../engine/cut/line-slicer';
import {
  type FeedDocument,
  type DocumentSurvey,
  type RecordContext,
  RecordError,
  type RecordFormat,
  type Slice,
} from '../kit/contracts';
import { type NumberPlaces, NumberSurvey, surveyOfSlices } from './number-survey';
import { recordText, rowOfRaw } from './record-text';

/** The cells of one line, by the positions of the IDX 3.01 specification, counted from 0. */
export type IdxRow = readonly string[];

export interface IdxRowsOptions {
  /** Cells that stay private, each with its reason. */
  private: Readonly<Record<number, string>>;
  privateWhen?(cell: number, context: RecordContext, row: IdxRow): boolean;
  numbers: NumberPlaces<number>;
}

const CELLS = 183;
/**
 * Some exporters omit empty cells at the end of a line, but all write the cells up to the agency and the visit contact.
 */
const FEWEST_CELLS = 85;
/** A `#` in an entity such as `&#39;` is no separator, because no cell starts with the rest of an entity. */
const REST_OF_ENTITY = /^(?:\d{1,7}|x[\da-f]{1,6});/i;
const LONGEST_REST = 8;
const SEPARATOR = '#';
const SEPARATOR_AMONG_ENTITIES = /(?<!&)#|#(?!(?:\d{1,7}|x[\da-f]{1,6});)/i;
const HASH = 0x23;
const AMPERSAND = 0x26;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** `IDX3.01`, or `IDX1.02`, which has the same positions but fewer cells. */
const VERSION = /^\s*IDX[\s_-]?[13](?:\.\d+)?\s*$/i;
/** `IDX1.02`: its lines are shorter than other lines in the same file. */
const ENDS_EARLIER = /^\s*IDX[\s_-]?1/i;
const STARTS_ROW = /^\uFEFF?\s*IDX[\s_-]?\d/i;
const STARTS_ROW_BYTES = 16;

/**
 * IDX 3.01: cells are separated by `#`, without quoting. A line with a `#` in a text is rejected, because private cells
 * would move too.
 */
export function idxRows(options: IdxRowsOptions): RecordFormat<IdxRow> {
  const isPrivate = new Array<boolean>(CELLS).fill(false);
  for (const cell of Object.keys(options.private)) isPrivate[Number(cell)] = true;
  return {
    survey: () => surveyOf(options.numbers),
    slice: sliceRows,
    parse: (bytes, context) => parseRow(recordText(bytes, 'iso-8859-1', context), context.feed),
    fromRaw: rowOfRaw,
    toRaw: (row, context) =>
      toRaw(row, (cell) => isPrivate[cell] === true || options.privateWhen?.(cell, context, row) === true),
  };
}

const LEAST_CELLS = 'leastCells';
/**
 * If full lines outnumber shorter ones by this factor, the exporter omits no cells, so the shorter lines have lost
 * some.
 */
const FULL_ROWS_FOR_ONE_THAT_IS_CUT = 5;

function surveyOf(numbers: NumberPlaces<number>): DocumentSurvey {
  const survey = new NumberSurvey();
  let [full, shorter] = [0, 0];
  return surveyOfSlices(sliceRows, {
    see(slice) {
      if (slice.kind !== 'record') return;
      const cells = cellsOf(slice.bytes.toString('latin1'));
      if (cells.length >= CELLS) full += 1;
      else if (!ENDS_EARLIER.test(cells[0] ?? '')) shorter += 1;
      survey.noteRow(cells, numbers);
    },
    findings: () => ({ ...survey.findings(), [LEAST_CELLS]: leastCells(full, shorter) }),
  });
}

function leastCells(full: number, shorter: number): number {
  return full > 0 && full >= shorter * FULL_ROWS_FOR_ONE_THAT_IS_CUT ? CELLS : FEWEST_CELLS;
}

/**
 * A text may continue on the next line, unless that line starts a listing. Cells are counted across the lines of a
 * record.
 */
function idxLines(): LineJoining {
  let separators = 0;
  return {
    leavesOpen(line, wasOpen) {
      separators = (wasOpen ? separators : 0) + countSeparators(line);
      return separators < CELLS - 1;
    },
    startsRecord: (line) => STARTS_ROW.test(headOf(line)),
  };
}

async function* sliceRows(document: FeedDocument): AsyncGenerator<Slice> {
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
  // The last line is held back, because only the end of the file shows whether it is whole.
  let pending: Extract<Slice, { kind: 'record' }> | undefined;
  const others = new RowLengths();
  let isFirst = true;
  for await (const slice of sliceLines(watched, { joining: idxLines() })) {
    if (pending !== undefined) {
      others.note(pending.bytes);
      yield pending;
      pending = undefined;
    }
    if (slice.kind !== 'record') {
      yield slice;
      continue;
    }
    if (isFirst && !slice.bytes.includes(HASH))
      throw new BadFeed('the document does not hold lines of IDX: the first one has no "#"');
    isFirst = false;
    // Copied, because the reader may reuse the memory.
    pending = { ...slice, bytes: Buffer.from(slice.bytes) };
  }
  if (pending === undefined) return;
  const message = 'the file ends inside a line';
  if (lastByte === LINE_FEED || lastByte === CARRIAGE_RETURN) {
    yield pending;
    if (others.warnTruncated(pending.bytes)) yield { kind: 'incomplete', message };
  } else if (countSeparators(pending.bytes) + 1 >= others.wholeFrom) yield pending;
  else {
    yield { kind: 'broken', bytes: pending.bytes, line: pending.line, message };
    yield { kind: 'incomplete', message };
  }
}

/** The lengths of the lines of a file: they show whether its last line was cut. */
class RowLengths {
  private most = 0;
  private fewest = Infinity;
  private full = 0;
  private shorter = 0;

  note(row: Buffer): void {
    const cells = countSeparators(row) + 1;
    this.most = Math.max(this.most, cells);
    this.fewest = Math.min(this.fewest, cells);
    if (cells >= CELLS) this.full += 1;
    else if (!endsEarlier(row)) this.shorter += 1;
  }

  /** Without a line end, the last line counts as whole only if it has as many cells as the longest one. */
  get wholeFrom(): number {
    return this.most === 0 ? CELLS : Math.min(this.most, CELLS);
  }

  /** A last line that is too short was cut at a line break inside a text, unless other lines are as short. */
  warnTruncated(last: Buffer): boolean {
    const cells = countSeparators(last) + 1;
    const least = endsEarlier(last) ? FEWEST_CELLS : leastCells(this.full, this.shorter + 1);
    return cells < least && cells < this.fewest && STARTS_ROW.test(headOf(last));
  }
}

function headOf(row: Buffer): string {
  return row.toString('latin1', 0, STARTS_ROW_BYTES);
}

function endsEarlier(row: Buffer): boolean {
  return ENDS_EARLIER.test(headOf(row));
}

function parseRow(text: string, feed: RecordContext['feed']): IdxRow {
  const cells = cellsOf(text);
  const least = feed[LEAST_CELLS];
  const problem = problemOf(cells, typeof least === 'number' ? least : FEWEST_CELLS);
  if (problem !== undefined) throw new RecordError('malformed', problem);
  return cells;
}

function cellsOf(text: string): string[] {
  return text.trim().split(text.includes('&#') ? SEPARATOR_AMONG_ENTITIES : SEPARATOR);
}

function problemOf(cells: string[], least: number): string | undefined {
  if (!VERSION.test(cells[0] ?? '')) return 'the line does not start with a version, as IDX3.01';
  // If the last anchor is in its position, extra cells come from separators after the last cell.
  if (isAnchored(cells, LAST_MODIFIED)) while (cells.length > CELLS && cells.at(-1)?.trim() === '') cells.pop();
  if (cells.length > CELLS) return `the line has ${cells.length} cells instead of ${CELLS}: there is a "#" in a text`;
  if (cells.length < (ENDS_EARLIER.test(cells[0] ?? '') ? FEWEST_CELLS : least))
    return `the line has ${cells.length} cells instead of ${CELLS}`;
  if (!OFFER.test(cells[4]?.trim() ?? ''))
    return 'cell 4 is not an offer: there is a "#" in a text, or a cell is missing';
  const moved = ANCHORS.find((anchor) => !isAnchored(cells, anchor) && isBeside(cells, anchor));
  return moved === undefined
    ? undefined
    : `cell ${moved.cell} has moved: there is a "#" in a text, or a cell is missing`;
}

/** A cell with a recognizable form, from which the positions of its neighbours follow. */
interface Anchor {
  cell: number;
  shape: RegExp;
}

const OFFER = /^(?:SALE|SELL|BUY|RENT|RENTAL|LEASE)?$/i;
const LAST_MODIFIED: Anchor = { cell: 177, shape: /^\s*\d{1,2}\.\d{1,2}\.\d{4}(?:\s|$)/ };
/** Only an anchor found next to its position proves a shift: an unknown word is no reason to lose a listing. */
const ANCHORS: readonly Anchor[] = [
  { cell: 21, shape: /^\s*(?:SELL(?:M2)?|(?:M2)?YEARLY|MONTHLY|WEEKLY|DAILY)\s*$/i },
  { cell: 22, shape: /^\s*(?:CHF|EUR|USD|GBP)\s*$/i },
  { cell: 79, shape: /^\s*[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+\s*$/ },
  LAST_MODIFIED,
];
/** The number of cells to search on each side: the visit contact further on may also contain an e-mail address. */
const REACH = 2;

function isAnchored(cells: readonly string[], { cell, shape }: Anchor): boolean {
  return shape.test(cells[cell] ?? '');
}

function isBeside(cells: readonly string[], { cell, shape }: Anchor): boolean {
  for (let step = 1; step <= REACH; step += 1) {
    if (shape.test(cells[cell + step] ?? '') || shape.test(cells[cell - step] ?? '')) return true;
  }
  return false;
}

function toRaw(row: IdxRow, isPrivate: (cell: number) => boolean): Record<string, unknown> {
  const raw: Record<string, unknown> = {};
  for (let cell = 0; cell < row.length; cell += 1) if (!isPrivate(cell)) raw[cell] = row[cell];
  return raw;
}

function countSeparators(bytes: Buffer): number {
  let found = 0;
  for (let at = bytes.indexOf(HASH); at !== -1; at = bytes.indexOf(HASH, at + 1)) {
    if (bytes[at - 1] !== AMPERSAND || !isInEntity(bytes, at)) found += 1;
  }
  return found;
}

function isInEntity(bytes: Buffer, hash: number): boolean {
  return REST_OF_ENTITY.test(bytes.subarray(hash + 1, hash + 1 + LONGEST_REST).toString('latin1'));
}
