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

/** Parses the gateways of a CSV file with a line of titles. @throws UnreadableCsv */
export function parseGatewayCsv(csv: string): CsvLine[] {
  const rows = parseRows(csv);
  const [first] = rows;
  if (first === undefined)
    throw new UnreadableCsv('has no gateways: it needs a line of titles, then one line per gateway');
  for (const title of Object.keys(first.record)) {
    if (TITLES.includes(title) || NAMED.test(title)) continue;
    const known = [...TITLES, 'credential:NAME', 'set:NAME'].join(', ');
    throw new UnreadableCsv(`has a column "${title}"; there are: ${known}`);
  }
  return rows.map(({ record, line }) => ({
    line,
    cells: Object.fromEntries(Object.entries(record).filter(([, cell]) => cell !== '')),
  }));
}

/** Splits `credential:token` into `['credential', 'token']`; null for any other title. */
export function namedTitle(title: string): [kind: string, name: string] | null {
  const [, kind, name] = NAMED.exec(title) ?? [];
  return kind === undefined || name === undefined ? null : [kind, name];
}

function parseRows(csv: string): { record: Record<string, string>; line: number }[] {
  try {
    return parse<{ record: Record<string, string>; line: number }, Record<string, string>>(csv, {
      ...{ columns: true, bom: true, trim: true, skip_empty_lines: true },
      on_record: (record, { lines }) => ({ record, line: lines }),
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new UnreadableCsv(`is not CSV with as many cells in each line as there are titles (${error.code})`);
  }
}
