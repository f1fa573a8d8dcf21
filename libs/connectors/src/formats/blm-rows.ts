import { toAsciiCompatible } from '../engine/readers/encoding';
import { type FeedPart, RecordError, type RecordFormat, type Slice } from '../kit/contracts';
import type { BlmDefinition } from './blm-head';
import { BlmScanner, DEFINITION } from './blm-scanner';
import { recordText } from './record-text';

/** The cells of one row by the name of their column, as delivered. */
export type BlmRow = Readonly<Record<string, string>>;

export interface BlmRowsOptions {
  /** Whether the values of a column may leave. Asked once for each column. */
  isPublic(column: string): boolean;
  /** Columns that stay, each with its reason; any other column that is not public gives a warning. */
  private: Readonly<Record<string, string>>;
}

/**
 * The rows of a Rightmove BLM file, versions 3 and 3i: `#HEADER#`, `#DEFINITION#`, `#DATA#`, with the characters that the
 * header declares between cells and rows. Columns are known by name, in any order; of columns with one name the first
 * that says something counts.
 */
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
    slice: sliceBlm,
    parse: (bytes, context) => parseRow(recordText(bytes, 'windows-1252', context), context.feed[DEFINITION]),
    parseContext: (_name, bytes) => JSON.parse(bytes.toString('utf8')) as unknown,
    toRaw(row, context) {
      const raw: Record<string, unknown> = {};
      for (const column of Object.keys(row)) {
        const fate = fateOf(column);
        if (fate === 'public') raw[column] = row[column];
        else if (fate === 'unknown' && row[column]?.trim() !== '') context.warn('unmapped_field', column, '');
      }
      return raw;
    },
  };
}

/** Beyond this, names are not worth remembering. */
const MOST_COLUMNS = 2_000;

async function* sliceBlm(part: FeedPart): AsyncGenerator<Slice, void, undefined> {
  const scanner = new BlmScanner();
  for await (const chunk of toAsciiCompatible(part.open())) {
    scanner.push(chunk);
    for (let slice = scanner.next(); slice !== undefined; slice = scanner.next()) yield slice;
  }
  yield* scanner.finish();
}

function parseRow(text: string, definition: unknown): BlmRow {
  if (!isDefinition(definition)) throw new RecordError('malformed', 'a row without a definition of its columns');
  const { separator, columns } = definition;
  const cells = text.split(separator);
  if (cells.length < columns.length) {
    throw new RecordError('malformed', `the row has ${cells.length} cells, the definition ${columns.length} columns`);
  }
  // The last separator ends the last cell; more than that is a separator inside a text, and every cell behind it is another's.
  for (let index = columns.length; index < cells.length; index += 1) {
    if (cells[index]?.trim() !== '') {
      throw new RecordError('malformed', `the row has ${cells.length} cells, the definition ${columns.length} columns`);
    }
  }
  const row: Record<string, string> = {};
  for (let index = 0; index < columns.length; index += 1) {
    const column = columns[index]!;
    const known = row[column];
    if (column !== '' && (known === undefined || known.trim() === '')) row[column] = cells[index] ?? '';
  }
  return row;
}

function isDefinition(value: unknown): value is BlmDefinition {
  return typeof value === 'object' && value !== null && 'separator' in value && 'columns' in value;
}
