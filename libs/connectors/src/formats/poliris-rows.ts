import { QUOTED_BANG_HASH_LINES, sliceLines } from '../engine/cut/line-slicer';
import {
  type FeedPart,
  type PartSurvey,
  type RecordContext,
  RecordError,
  type RecordFormat,
  type Slice,
} from '../kit/contracts';
import { type NumberPlaces, NumberSurvey, surveyOfSlices } from './number-survey';
import { recordText } from './record-text';

/** The cells of one line by rank: index 0 is unused, so that the numbers are those of the specification. */
export type PolirisRow = readonly string[];

export interface PolirisRowsOptions {
  /** Ranks that stay, each with its reason. */
  private: Readonly<Record<number, string>>;
  /** Ranks that stay where the gateway's settings say so. */
  privateWhen?(rank: number, context: RecordContext): boolean;
  /** Ranks of numbers. */
  numbers: NumberPlaces<number>;
}

const RANKS = 334;
/** The first twenty ranks are what makes a listing; a shorter line was cut. */
const FEWEST_CELLS = 20;
const SEPARATOR = /"\s*!#\s*"/;
const SPACED_SEPARATOR = /"\s+!#|!#\s+"/;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Lines of `"…"!#"…"`, without a header: the dialect of SeLoger and Poliris. Text stays text; a stray quotation mark or
 * `!#` inside a text does not split it. A line that was cut off is rejected, and makes the feed incomplete when it is
 * the end of the file.
 */
export function polirisRows(options: PolirisRowsOptions): RecordFormat<PolirisRow> {
  const isPrivate = new Array<boolean>(RANKS + 1).fill(false);
  for (const rank of Object.keys(options.private)) isPrivate[Number(rank)] = true;
  return {
    survey: () => surveyOf(options.numbers),
    slice: sliceRows,
    parse: (bytes, context) => parseRow(recordText(bytes, 'windows-1252', context), context.feed[ROW_CELLS]),
    toRaw: (row, context) =>
      toRaw(row, (rank) => isPrivate[rank] === true || options.privateWhen?.(rank, context) === true, context),
  };
}

/** The name under which the number of cells that whole lines of the part have reaches the parser of a line. */
const ROW_CELLS = 'rowCells';

function surveyOf(numbers: NumberPlaces<number>): PartSurvey {
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

/** How many cells a line has: as many as most lines of the file; of two numbers that are as frequent the greater. */
function usualCells(rowsByCells: ReadonlyMap<number, number>): number {
  let [usual, most] = [FEWEST_CELLS, 0];
  for (const [cells, rows] of rowsByCells) {
    if (rows > most || (rows === most && cells > usual)) [usual, most] = [cells, rows];
  }
  return usual;
}

async function* sliceRows(part: FeedPart): AsyncGenerator<Slice> {
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
  let previous: Buffer | undefined;
  let last: Buffer | undefined;
  for await (const slice of sliceLines(watched, { joining: QUOTED_BANG_HASH_LINES })) {
    if (slice.kind === 'record') {
      previous = last;
      // The reader may use the memory again.
      last = Buffer.from(slice.bytes);
    }
    yield slice;
  }
  if (last === undefined) return;
  const line = last.toString('latin1');
  const hasLineEnd = lastByte === LINE_FEED || lastByte === CARRIAGE_RETURN;
  const usual = previous === undefined ? RANKS : splitCells(previous.toString('latin1')).length;
  // An only line that has no end is whole where nothing can be missing.
  // A line break at the end of the file may be one of a text that was cut there.
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
  // Splitting by a plain text is much faster, and most files have no blanks there.
  return SPACED_SEPARATOR.test(body) ? body.split(SEPARATOR) : body.split('"!#"');
}

/** What says that a line was cut: the ranks that are missing may be those that hide its price or make its identifier. */
function problemOf(cells: readonly string[], line: string, usual: number): string | undefined {
  if (cells.length < FEWEST_CELLS) return `the line has ${cells.length} cells, a listing has at least ${FEWEST_CELLS}`;
  if (cells.length < usual) return `the line has ${cells.length} cells, the file's other lines have ${usual}`;
  return endsInsideCell(line) ? 'the line ends inside a cell' : undefined;
}

function endsInsideCell(line: string): boolean {
  const text = line.trim();
  return text.startsWith('"') && !text.endsWith('"') && !text.endsWith('!#');
}

/** The cells by their ranks, as delivered. Ranks that no version of the format has give a warning. */
function toRaw(row: PolirisRow, isPrivate: (rank: number) => boolean, context: RecordContext): Record<string, unknown> {
  const raw: Record<string, unknown> = {};
  for (let rank = 1; rank < row.length; rank += 1) {
    if (rank > RANKS) {
      if (row[rank]?.trim()) context.warn('unmapped_field', String(rank), '');
    } else if (!isPrivate(rank)) raw[rank] = row[rank];
  }
  return raw;
}
