import { toAsciiCompatible } from '../engine/cut/encoding';
import {
  type FeedDocument,
  type DocumentSurvey,
  type RecordContext,
  RecordError,
  type RecordFormat,
  type Slice,
} from '../kit/contracts';
import type { BlmDefinition } from './blm-head';
import { BlmScanner, DEFINITION } from './blm-scanner';
import { shiftedColumn, unreadableColumns } from './blm-shift';
import { type NumberPlaces, NumberSurvey, surveyOfSlices } from './number-survey';
import { recordText } from './record-text';

/** The cells of one row by column name, as delivered. */
export type BlmRow = Readonly<Record<string, string>>;

export interface BlmRowsOptions {
  /** Whether the values of a column may be published. Called once per column. */
  isPublic(column: string): boolean;
  /** Columns that stay private, each with its reason; any other column that is not public gives a warning. */
  private: Readonly<Record<string, string>>;
  privateWhen?(column: string, row: BlmRow): boolean;
  numbers?: NumberPlaces<string>;
}

/** Rightmove BLM, versions 3 and 3i. If several columns have the same name, the first non-empty one counts. */
export function blmRows(options: BlmRowsOptions): RecordFormat<BlmRow> {
  const fates = new Map<string, 'public' | 'private' | 'unknown'>();
  const fateOf = (column: string): 'public' | 'private' | 'unknown' => {
    let fate = fates.get(column);
    if (fate === undefined) {
      fate = options.isPublic(column) ? 'public' : column in options.private ? 'private' : 'unknown';
      if (fates.size < MOST_COLUMNS) fates.set(column, fate);
    }
    return fate;
  };
  return {
    survey: () => surveyOf(options.numbers),
    slice: sliceBlm,
    parse: (bytes, context) => parseRow(recordText(bytes, 'windows-1252', context), context.feed),
    parseContext: (_name, bytes) => JSON.parse(bytes.toString('utf8')) as unknown,
    toRaw(row, context) {
      const raw: Record<string, unknown> = {};
      for (const column of Object.keys(row)) {
        const fate = fateOf(column);
        if (fate === 'public') {
          if (options.privateWhen?.(column, row) !== true) raw[column] = row[column];
        } else if (fate === 'unknown' && row[column]?.trim() !== '') context.warn('unmapped_field', column, '');
      }
      return raw;
    },
  };
}

/** Above this number, column names are not cached. */
const MOST_COLUMNS = 2_000;

async function* sliceBlm(document: FeedDocument): AsyncGenerator<Slice, void, undefined> {
  const scanner = new BlmScanner();
  for await (const chunk of toAsciiCompatible(document.open())) {
    scanner.push(chunk);
    for (let slice = scanner.next(); slice !== undefined; slice = scanner.next()) yield slice;
  }
  yield* scanner.finish();
}

/** The context key for the maximum number of cells in a row of the document. */
const ROW_CELLS = 'rowCells';
const LEAST_CELLS = 'leastCells';

function surveyOf(numbers: NumberPlaces<string> = { amounts: [], areas: [] }): DocumentSurvey {
  const survey = new NumberSurvey();
  const rowsByCells = new Map<number, number>();
  let definition: BlmDefinition = { separator: '', columns: [] };
  let places: NumberPlaces<number> = { amounts: [], areas: [] };
  return surveyOfSlices(sliceBlm, {
    see(slice) {
      if (slice.kind === 'context' && slice.name === DEFINITION) {
        definition = JSON.parse(slice.bytes.toString('utf8')) as BlmDefinition;
        const { columns } = definition;
        const placesOf = (names: readonly string[]): number[] =>
          columns.flatMap((name, place) => (names.includes(name) ? [place] : []));
        places = { amounts: placesOf(numbers.amounts), areas: placesOf(numbers.areas) };
      } else if (slice.kind === 'record') {
        const cells = slice.bytes.toString('latin1').split(definition.separator);
        rowsByCells.set(cells.length, (rowsByCells.get(cells.length) ?? 0) + 1);
        survey.noteRow(cells, places);
      }
    },
    findings: () => ({
      ...survey.findings(),
      [ROW_CELLS]: usualCells(rowsByCells, definition.columns.length),
      [LEAST_CELLS]: leastCells(rowsByCells, definition.columns.length),
    }),
  });
}

/** A file mixes rows with and without a last separator if at least this share of them ends with one. */
const LEAST_SHARE_OF_ENDED_ROWS = 1 / 3;

/**
 * The maximum number of cells per row: that of most complete rows; columns plus one if no two rows have the same
 * number, or if only some rows end with a separator.
 */
function usualCells(rowsByCells: ReadonlyMap<number, number>, columns: number): number {
  let [usual, most] = [columns + 1, 1];
  for (const [cells, rows] of [...rowsByCells].sort(([a], [b]) => a - b)) {
    if (cells >= columns && rows > most) [usual, most] = [cells, rows];
  }
  const ended = rowsByCells.get(columns + 1) ?? 0;
  const isMixed = usual === columns && ended > 1 && ended >= (ended + most) * LEAST_SHARE_OF_ENDED_ROWS;
  return isMixed ? columns + 1 : usual;
}

/** If rows with a last separator outnumber the others by this factor, the others have lost a separator. */
const ENDED_ROWS_FOR_ONE_THAT_IS_CUT = 5;

/**
 * The minimum number of cells per row. If nearly all rows end with a separator, a row without one has lost a separator
 * somewhere, and its cells are in the wrong columns.
 */
function leastCells(rowsByCells: ReadonlyMap<number, number>, columns: number): number {
  const [ended, others] = [columns + 1, columns].map((cells) => rowsByCells.get(cells) ?? 0) as [number, number];
  return ended > 0 && ended >= others * ENDED_ROWS_FOR_ONE_THAT_IS_CUT ? columns + 1 : columns;
}

/**
 * In a file that mixes rows with and without a last separator, the number of cells does not show a shift; a text in a
 * flag column does.
 */
const FLAG_COLUMN = /_FLAG$/;
const A_TEXT = /\S\s+\S|\S{13,}/;

function parseRow(text: string, feed: RecordContext['feed']): BlmRow {
  const definition = feed[DEFINITION];
  if (!isDefinition(definition)) throw new RecordError('malformed', 'a row without a definition of its columns');
  const { separator, columns } = definition;
  const cells = text.split(separator);
  if (cells.length < columns.length) {
    throw new RecordError('malformed', `the row has ${cells.length} cells, the definition ${columns.length} columns`);
  }
  // The row has a non-empty cell after its last column: a separator inside a text has shifted the cells.
  for (let index = columns.length; index < cells.length; index += 1) {
    if (cells[index]?.trim() !== '') {
      throw new RecordError('malformed', `the row has ${cells.length} cells, the definition ${columns.length} columns`);
    }
  }
  const least = feed[LEAST_CELLS];
  if (typeof least === 'number' && cells.length < least) {
    throw new RecordError('malformed', `the row has ${cells.length} cells, whole rows have ${least}`);
  }
  // A row with more cells than usual is shifted too: if its last column is empty, the extra cells are also empty.
  const most = feed[ROW_CELLS];
  if (typeof most === 'number' && cells.length > most) {
    throw new RecordError('malformed', `the row has ${cells.length} cells, whole rows have ${most}`);
  }
  const row: Record<string, string> = {};
  for (let index = 0; index < columns.length; index += 1) {
    const column = columns[index]!;
    const known = row[column];
    if (column !== '' && (known === undefined || known.trim() === '')) row[column] = cells[index] ?? '';
    if (FLAG_COLUMN.test(column) && A_TEXT.test(cells[index] ?? '')) {
      throw new RecordError(
        'malformed',
        `${column} holds a text: a separator inside a text has shifted the row`,
        column,
      );
    }
  }
  const unreadable = unreadableColumns(columns, cells);
  if (unreadable !== undefined) {
    throw new RecordError(
      'malformed',
      `${unreadable.join(' and ')} cannot be read: a separator inside a text has shifted the row`,
      unreadable[0],
    );
  }
  // If rows with and without a last separator are mixed, the number of cells proves nothing.
  const shifted = cells.length > columns.length ? shiftedColumn(columns, cells) : undefined;
  if (shifted !== undefined) {
    throw new RecordError(
      'malformed',
      `${shifted} is in the next cell: a separator inside a text has shifted the row`,
      shifted,
    );
  }
  return row;
}

function isDefinition(value: unknown): value is BlmDefinition {
  return typeof value === 'object' && value !== null && 'separator' in value && 'columns' in value;
}
