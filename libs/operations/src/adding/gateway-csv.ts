import { CsvError, parse } from 'csv-parse/sync';

/** A line of a CSV file of gateways: its non-empty cells, by column title. */
export interface CsvLine {
  /** 1-based, in the file. */
  line: number;
  cells: Record<string, string>;
}

/** The message continues a sentence that begins with the file's name. It contains no cell: a cell may be a secret. */
export class UnreadableCsv extends Error {
  override readonly name = 'UnreadableCsv';
}

const TITLES = ['crm', 'client', 'source', 'key', 'scope', 'network', 'every', 'contract-end'];
/** Titles such as `credential:token` and `set:max-vanished-share`: one column per name. */
const NAMED = /^(credential|set):(.+)$/;
const DELIMITERS = [',', ';', '\t'];
/** More wrong lines have one cause. */
const NAMED_LINES = 20;

/** Parses the gateways of a CSV file with a line of titles; its cells are separated like the titles. @throws UnreadableCsv */
export function parseGatewayCsv(csv: string): CsvLine[] {
  const [head, ...rows] = parseRows(csv);
  if (head === undefined || rows.length === 0)
    throw new UnreadableCsv('has no gateways: it needs a line of titles, then one line per gateway');
  const titles = withoutEmptyEnd(head.cells).map((title) => title.toLowerCase());
  for (const [at, title] of titles.entries()) {
    if (titles.indexOf(title) !== at) throw new UnreadableCsv(`has two columns "${title}"`);
    if (TITLES.includes(title) || NAMED.test(title)) continue;
    const known = [...TITLES, 'credential:NAME', 'set:NAME'].join(', ');
    throw new UnreadableCsv(`has a column "${title}"; there are: ${known}`);
  }
  const wrong = rows.filter(({ cells }) => withoutEmptyEnd(cells).length > titles.length).map(({ line }) => line);
  if (wrong.length > 0) {
    const more = wrong.length > NAMED_LINES ? ', …' : '';
    throw new UnreadableCsv(`has more cells than titles in line ${wrong.slice(0, NAMED_LINES).join(', ')}${more}`);
  }
  return rows.map(({ cells, line }) => ({
    line,
    cells: Object.fromEntries(titles.flatMap((title, at) => (cells[at] ? [[title, cells[at]]] : []))),
  }));
}

/** Splits `credential:token` into `['credential', 'token']`; null for any other title. */
export function namedTitle(title: string): [kind: string, name: string] | null {
  const [, kind, name] = NAMED.exec(title) ?? [];
  return kind === undefined || name === undefined ? null : [kind, name];
}

/** Spreadsheets end lines with empty cells where another line is longer. */
function withoutEmptyEnd(cells: readonly string[]): readonly string[] {
  const last = cells.findLastIndex((cell) => cell !== '');
  return cells.slice(0, last + 1);
}

interface Row {
  cells: string[];
  line: number;
}

function parseRows(csv: string): Row[] {
  const delimiter = delimiterOf(csv);
  const text = csv.replace(SEPARATOR_LINE, '');
  const skipped = text === csv ? 0 : 1;
  try {
    const rows = parse(text, {
      ...{ delimiter, bom: true, record_delimiter: ['\r\n', '\n', '\r'], relax_column_count: true, info: true },
      ...{ skip_empty_lines: true, skip_records_with_empty_values: true },
      // csv-parse would trim delimiters that are white space.
      trim: delimiter !== '\t',
    }) as unknown as { record: string[]; info: { lines: number } }[];
    return rows.map(({ record, info }) => ({ cells: record.map((cell) => cell.trim()), line: info.lines + skipped }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines = 1 } = error as { lines?: number };
    throw new UnreadableCsv(`is not CSV in line ${lines + skipped} (${error.code})`);
  }
}

/** Excel writes the separator into a first line. */
const SEPARATOR_LINE = /^\uFEFF?sep=.\r?\n/i;

/** The most frequent separator in the line of titles, because a title contains none. */
function delimiterOf(csv: string): string {
  const [titles = ''] = csv.replace(SEPARATOR_LINE, '').trimStart().split('\n', 1);
  const count = (delimiter: string): number => titles.split(delimiter).length;
  return DELIMITERS.reduce((best, one) => (count(one) > count(best) ? one : best));
}

/** The text of a file in the encodings that Excel writes: UTF-8, UTF-16 and Windows-1252. */
export function decodeCsv(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const text = Buffer.from(bytes).toString('latin1');
    return text.replace(/[\u0080-\u009f]/g, (sign) => WINDOWS_1252[sign.charCodeAt(0) - 0x80] ?? sign);
  }
}

/** The signs from 0x80 to 0x9f, where it differs from Latin 1. TextDecoder of Node.js 20 does not know them. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
