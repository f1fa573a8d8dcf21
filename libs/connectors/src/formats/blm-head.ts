import { BadFeed } from '@passerelle/domain';

import { decodeText } from '../engine/cut/encoding';

export interface BlmHead {
  /** Ends a cell. */
  separator: Buffer;
  /** Ends a row. */
  terminator: Buffer;
  /** In upper case, in the file's order; a name may occur twice. */
  columns: readonly string[];
  /** The number of separators in a complete row: one less than columns if no separator follows the last cell. */
  separatorsPerRow: number;
  /** `Property Count`. */
  declaredRows: number | undefined;
}

/** The parts of the head that the parser of a row needs. The scanner passes them on. */
export interface BlmDefinition {
  separator: string;
  columns: readonly string[];
}

const DATA_MARK = '#DATA#';
const DEFINITION_MARK = '#DEFINITION#';
const ID_COLUMN = 'AGENT_REF';
const HEADER_LINE = /^\s*([A-Za-z][A-Za-z\s_-]*)[:=](.*)$/;

/** The offset where the rows start, or undefined if it is not in the text yet. `text` has one character per byte. */
export function dataStart(text: string): number | undefined {
  const upper = text.toUpperCase();
  const definition = upper.indexOf(DEFINITION_MARK);
  const at = definition < 0 ? -1 : upper.indexOf(DATA_MARK, definition);
  return at < 0 ? undefined : at + DATA_MARK.length;
}

/**
 * `text` has one character per byte. If the header declares no separators, those of its version apply. @throws BadFeed
 */
export function readBlmHead(text: string): BlmHead {
  const at = text.toUpperCase().indexOf(DEFINITION_MARK);
  const header = headerOf(text.slice(0, at));
  const isOverseas = /i\s*$/i.test(header.get('version') ?? '');
  const separator = markOf(header.get('eof')) ?? (isOverseas ? '|' : '^');
  const terminator = markOf(header.get('eor')) ?? '~';
  const body = text.slice(at + DEFINITION_MARK.length, text.toUpperCase().lastIndexOf(DATA_MARK)).trimStart();
  const definition = (body.split(terminator, 1)[0] ?? '').trim();
  const columns = definition.split(separator).map((name) => name.replace(/\s+/g, '').toUpperCase());
  const endsWithSeparator = columns.at(-1) === '';
  while (columns.at(-1) === '') columns.pop();
  if (!columns.includes(ID_COLUMN)) {
    throw new BadFeed(
      `the definition has no column ${ID_COLUMN}: the header declares ${JSON.stringify(separator)} between columns`,
    );
  }
  return {
    separator: Buffer.from(separator, 'latin1'),
    terminator: Buffer.from(terminator, 'latin1'),
    columns,
    separatorsPerRow: endsWithSeparator ? columns.length : columns.length - 1,
    declaredRows: countOf(header.get('propertycount')),
  };
}

/** The head without the parts that change with each export, so that unchanged rows keep their hash. */
export function definitionOf({ separator, columns }: BlmHead): BlmDefinition {
  return { separator: decodeText(separator).text, columns };
}

/** Keys in lower case without blanks: `Property Count`, `PROPERTY_COUNT` and `propertycount` are the same. */
function headerOf(text: string): ReadonlyMap<string, string> {
  const entries = new Map<string, string>();
  for (const line of text.split(/\r\n?|\n/)) {
    const [, key, value] = HEADER_LINE.exec(line) ?? [];
    if (key !== undefined && value !== undefined) entries.set(key.toLowerCase().replace(/[\s_-]/g, ''), value.trim());
  }
  return entries;
}

/** `'^'`, `"^"` and `^` all declare `^`. An empty value, with or without quotation marks, declares nothing. */
function markOf(value: string | undefined): string | undefined {
  if (value === undefined || value === '' || /^(['"`])\1/.test(value)) return undefined;
  const mark = /^(['"`])(.+?)\1/.exec(value)?.[2] ?? value.split(/\s/, 1)[0] ?? '';
  if (mark === '') return undefined;
  return ESCAPED_MARKS[mark] ?? mark;
}

const ESCAPED_MARKS: Readonly<Record<string, string>> = { '\\t': '\t', '\\n': '\n', '\\r\\n': '\r\n' };

function countOf(value: string | undefined): number | undefined {
  const digits = value?.replace(/[\s,'"]/g, '') ?? '';
  return /^\d{1,9}$/.test(digits) ? Number(digits) : undefined;
}
