import { QUOTED_BANG_HASH_LINES, sliceLines } from '../engine/cut/line-slicer';
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

/** The cells of one line by rank: index 0 is unused, so that the numbers are the same as in the specification. */
export type PolirisRow = readonly string[];

export interface PolirisRowsOptions {
  /** Ranks that stay private, each with its reason. */
  private: Readonly<Record<number, string>>;
  privateWhen?(rank: number, context: RecordContext): boolean;
  numbers: NumberPlaces<number>;
}

const RANKS = 334;
/** A listing needs the first twenty ranks; a shorter line was cut. */
const FEWEST_CELLS = 20;
const SEPARATOR = /"\s*!#\s*"/;
const SPACED_SEPARATOR = /"\s+!#|!#\s+"/;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Lines of `"…"!#"…"` (SeLoger, Poliris). A cut line is rejected; at the end it makes the feed incomplete. */
export function polirisRows(options: PolirisRowsOptions): RecordFormat<PolirisRow> {
  const isPrivate = new Array<boolean>(RANKS + 1).fill(false);
  for (const rank of Object.keys(options.private)) isPrivate[Number(rank)] = true;
  return {
    survey: () => surveyOf(options.numbers),
    slice: sliceRows,
    parse: (bytes, context) => parseRow(recordText(bytes, 'windows-1252', context), context.feed[ROW_CELLS]),
    fromRaw: rowOfRaw,
    toRaw: (row, context) =>
      toRaw(row, (rank) => isPrivate[rank] === true || options.privateWhen?.(rank, context) === true, context),
  };
}

/** The context key for the number of cells in whole lines of the document. */
const ROW_CELLS = 'rowCells';

function surveyOf(numbers: NumberPlaces<number>): DocumentSurvey {
  const survey = new NumberSurvey();
  const rowsByCells = new Map<number, number>();
  return surveyOfSlices(sliceRows, {
    see(slice) {
      if (slice.kind !== 'record') return;
      const cells = splitCells(slice.bytes.toString('latin1'));
      rowsByCells.set(cells.length, (rowsByCells.get(cells.length) ?? 0) + 1);
      cells.unshift('');
      survey.noteRow(cells, numbers);
    },
    findings: () => ({ ...survey.findings(), [ROW_CELLS]: usualCells(rowsByCells) }),
  });
}

/** The usual number of cells: that of most lines of the file, and the greater one if two are equally frequent. */
function usualCells(rowsByCells: ReadonlyMap<number, number>): number {
  let [usual, most] = [FEWEST_CELLS, 0];
  for (const [cells, rows] of rowsByCells) {
    if (rows > most || (rows === most && cells > usual)) [usual, most] = [cells, rows];
  }
  return usual;
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
  let previous: Buffer | undefined;
  let last: Buffer | undefined;
  for await (const slice of sliceLines(watched, { joining: QUOTED_BANG_HASH_LINES })) {
    if (slice.kind === 'record') {
      previous = last;
      // Copied, because the reader may reuse the memory.
      last = Buffer.from(slice.bytes);
    }
    yield slice;
  }
  if (last === undefined) return;
  const line = last.toString('latin1');
  const hasLineEnd = lastByte === LINE_FEED || lastByte === CARRIAGE_RETURN;
  const usual = previous === undefined ? RANKS : splitCells(previous.toString('latin1')).length;
  // A line break at the end may belong to a text that was cut there; a last line without a line break may be whole.
  if (endsInsideCell(line) || (!hasLineEnd && problemOf(splitCells(line), line, usual) !== undefined)) {
    yield { kind: 'incomplete', message: 'the file ends inside a line' };
  }
}

function parseRow(text: string, usual: unknown): PolirisRow {
  const cells = splitCells(text);
  const problem = problemOf(cells, text, typeof usual === 'number' ? usual : FEWEST_CELLS);
  if (problem !== undefined) throw new RecordError('malformed', problem);
  cells.unshift('');
  return cells;
}

function splitCells(line: string): string[] {
  const text = line.trim();
  if (!text.includes('"')) return text.split('!#').map((cell) => cell.trim());
  const whole = text.endsWith('!#') ? text.slice(0, -2).trimEnd() : text;
  const body = whole.slice(whole.startsWith('"') ? 1 : 0, whole.endsWith('"') ? -1 : undefined);
  // Splitting at a fixed text is much faster, and most files have no blanks around the separator.
  return SPACED_SEPARATOR.test(body) ? body.split(SEPARATOR) : body.split('"!#"');
}

/**
 * Why the line counts as cut; undefined when it is whole. The missing ranks may be those that hide its price or form
 * its identifier.
 */
function problemOf(cells: readonly string[], line: string, usual: number): string | undefined {
  if (cells.length < FEWEST_CELLS) return `the line has ${cells.length} cells, a listing has at least ${FEWEST_CELLS}`;
  if (cells.length < usual) return `the line has ${cells.length} cells, the file's other lines have ${usual}`;
  return endsInsideCell(line) ? 'the line ends inside a cell' : undefined;
}

function endsInsideCell(line: string): boolean {
  const text = line.trim();
  return text.startsWith('"') && !text.endsWith('"') && !text.endsWith('!#');
}

/**
 * The cells by rank, as delivered. Ranks that are unknown to the format are omitted, with a warning if they have a
 * value.
 */
function toRaw(row: PolirisRow, isPrivate: (rank: number) => boolean, context: RecordContext): Record<string, unknown> {
  const raw: Record<string, unknown> = {};
  for (let rank = 1; rank < row.length; rank += 1) {
    if (rank > RANKS) {
      if (row[rank]?.trim()) context.warn('unmapped_field', String(rank), '');
    } else if (!isPrivate(rank)) raw[rank] = row[rank];
  }
  return raw;
}
