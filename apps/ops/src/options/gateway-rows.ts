import { decodeCsv, namedTitle, parseGatewayCsv, UnreadableCsv } from '@passerelle/operations';
import { UsageError } from '../errors';
import type { KeyTermOptions } from './key-terms';
import type { SecretInput } from './secret-input';

export interface GatewayOptions extends KeyTermOptions {
  crm?: string;
  client?: string;
  source?: string;
  credential?: string[];
  set?: string[];
  key?: string;
  every?: string;
  contractEnd?: string;
}

/** An empty cell sets no option; `-` is standard input. @throws UsageError, which quotes no cell, for secrecy. */
export async function readGatewayRows(
  file: string,
  input: SecretInput,
): Promise<{ line: number; words: GatewayOptions }[]> {
  const csv = decodeCsv(await input.readBytes('--from', file));
  try {
    return parseGatewayCsv(csv).map(({ line, cells }) => ({ line, words: wordsOf(cells) }));
  } catch (error) {
    throw error instanceof UnreadableCsv ? new UsageError(`${file} ${error.message}`) : error;
  }
}

function wordsOf(cells: Readonly<Record<string, string>>): GatewayOptions {
  const given = Object.entries(cells);
  const named = (kind: string): string[] =>
    given.flatMap(([title, cell]) => {
      const [of, name] = namedTitle(title) ?? [];
      return of === kind ? [`${name ?? ''}=${cell}`] : [];
    });
  const {
    'contract-end': contractEnd,
    network,
    ...plain
  } = Object.fromEntries(given.filter(([title]) => namedTitle(title) === null));
  return {
    ...plain,
    ...(contractEnd !== undefined && { contractEnd }),
    ...(network !== undefined && { network: [network] }),
    credential: named('credential'),
    set: named('set'),
  };
}
