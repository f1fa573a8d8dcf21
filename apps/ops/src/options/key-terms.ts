import { KEY_SCOPES, type KeyTerms } from '@passerelle/domain';
import { addressOrRange } from '@passerelle/settings';
import { UsageError } from '../errors';
import { parseWord } from './values';

export interface KeyTermOptions {
  scope?: string;
  network?: string[];
}

const ANYWHERE = 'any';

/** @throws UsageError naming the option. */
export function parseKeyTerms({ scope, network }: KeyTermOptions): Partial<KeyTerms> {
  return {
    ...(scope !== undefined && { scope: parseWord('--scope', scope, KEY_SCOPES) }),
    ...(network !== undefined && { networks: parseNetworks(network) }),
  };
}

function parseNetworks(texts: readonly string[]): string[] | null {
  const entries = texts.flatMap((text) => text.split(/[\s,]+/)).filter((entry) => entry !== '');
  if (entries.length === 1 && entries[0] === ANYWHERE) return null;
  const bad = entries.find((entry) => addressOrRange(entry) === null);
  if (bad === undefined && entries.length > 0) return entries;
  throw new UsageError(
    `--network takes addresses or CIDR ranges such as 192.0.2.1 or 10.0.0.0/8, or "${ANYWHERE}", not "${bad ?? ''}"`,
  );
}
