import { QUOTED_BANG_HASH_LINES, sliceLines } from '../engine/readers/line-slicer';
import {
  type FeedPart,
  type PartSurvey,
  type RecordContext,
  RecordError,
  type RecordFormat,
  type Slice,
} from '../kit/contracts';
import { type NumberPlaces, NumberSurvey } from './number-survey';
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
    parse: (bytes, context) => parseRow(recordText(bytes, 'windows-1252', context)),
    toRaw: (row, context) =>
      toRaw(row, (rank) => isPrivate[rank] === true || options.privateWhen?.(rank, context) === true, context),
  };
}

function surveyOf(numbers: NumberPlaces<number>): PartSurvey {
  const survey = new NumberSurvey();
  return {
    see(slice) {
      if (slice.kind !== 'record') return;
      const cells = splitCells(slice.bytes.toString('latin1'));
      cells.unshift('');
      survey.noteRow(cells, numbers);
    },
    findings: () => survey.findings(),
  };
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
  let last: Buffer | undefined;
  for await (const slice of sliceLines(watched, { joining: QUOTED_BANG_HASH_LINES })) {
    // The reader may use the memory again.
    if (slice.kind === 'record') last = Buffer.from(slice.bytes);
    yield slice;
  }
  const hasLineEnd = lastByte === LINE_FEED || lastByte === CARRIAGE_RETURN;
  if (
    last !== undefined &&
    !hasLineEnd &&
    problemOf(splitCells(last.toString('latin1')), last.toString('latin1')) !== undefined
  ) {
    yield { kind: 'incomplete', message: 'the file ends inside a line' };
  }
}

function parseRow(text: string): PolirisRow {
  const cells = splitCells(text);
  const problem = problemOf(cells, text);
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

function problemOf(cells: readonly string[], line: string): string | undefined {
  if (cells.length < FEWEST_CELLS) return `the line has ${cells.length} cells, a listing has at least ${FEWEST_CELLS}`;
  const text = line.trim();
  return text.startsWith('"') && !text.endsWith('"') && !text.endsWith('!#')
    ? 'the line ends inside a cell'
    : undefined;
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
