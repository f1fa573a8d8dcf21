import { CsvError, parse } from 'csv-parse/sync';
import { UsageError } from '../errors';
import type { KeyTermWords } from './key-terms';
import type { SecretInput } from './secret-input';

/** What describes a new gateway, as an operator writes it. */
export interface GatewayWords extends KeyTermWords {
  crm?: string;
  client?: string;
  source?: string;
  credential?: string[];
  set?: string[];
  key?: string;
  every?: string;
  contractEnd?: string;
}

const COLUMNS = ['crm', 'client', 'source', 'key', 'scope', 'network', 'every', 'contract-end'];
/** `credential:token` and `set:max-vanished-share`, a column for each name. */
const NAMED = /^(credential|set):(.+)$/;

/**
 * The gateways of a CSV file with a line of titles. An empty cell is an option that is not given.
 *
 * @param file its path; `-` for standard input.
 * @throws UsageError that repeats no cell: it may be a secret.
 */
export async function readGatewayRows(
  file: string,
  input: SecretInput,
): Promise<{ line: number; words: GatewayWords }[]> {
  const rows = parseRows(file, await input.read('--from', file));
  const [first] = rows;
  if (first === undefined) throw new UsageError(`${file} has no gateways: a line of titles, then a line for each`);
  for (const title of Object.keys(first.record)) {
    if (COLUMNS.includes(title) || NAMED.test(title)) continue;
    const known = [...COLUMNS, 'credential:NAME', 'set:NAME'].join(', ');
    throw new UsageError(`${file} has a column "${title}"; there are: ${known}`);
  }
  return rows.map(({ record, line }) => ({ line, words: wordsOf(record) }));
}

function parseRows(file: string, csv: string): { record: Record<string, string>; line: number }[] {
  try {
    return parse<{ record: Record<string, string>; line: number }, Record<string, string>>(csv, {
      ...{ columns: true, bom: true, trim: true, skip_empty_lines: true },
      on_record: (record, { lines }) => ({ record, line: lines }),
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new UsageError(`${file} is not CSV with as many cells in each line as there are titles (${error.code})`);
  }
}

function wordsOf(record: Readonly<Record<string, string>>): GatewayWords {
  const given = Object.entries(record).filter(([, cell]) => cell !== '');
  const named = (kind: string): string[] =>
    given.flatMap(([title, cell]) => {
      const [, of, name] = NAMED.exec(title) ?? [];
      return of === kind ? [`${name ?? ''}=${cell}`] : [];
    });
  const {
    'contract-end': contractEnd,
    network,
    ...plain
  } = Object.fromEntries(given.filter(([title]) => !NAMED.test(title)));
  return {
    ...plain,
    ...(contractEnd !== undefined && { contractEnd }),
    ...(network !== undefined && { network: [network] }),
    credential: named('credential'),
    set: named('set'),
  };
}
