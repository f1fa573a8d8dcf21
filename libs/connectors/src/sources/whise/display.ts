import type { Statut } from '@passerelle/domain';
import type { JsonRecord } from '../../formats/json-records';
import { toFlag } from '../../kit/clean/fold-word';
import type { RecordContext } from '../../kit/contracts';
import { scalarOf } from '../../kit/values';
import { type Showing, withdrawalFor } from '../../kit/status';
import { lookUp, type WordTable } from '../../kit/word-table';
import { DISPLAY_STATUSES, PURPOSE_STATUSES, STATUSES } from './lookups';
import { numberOf } from './numbers';

const TABLES: readonly (readonly [name: string, table: WordTable<Showing>])[] = [
  ['status', STATUSES],
  ['displayStatus', DISPLAY_STATUSES],
  ['purposeStatus', PURPOSE_STATUSES],
];

/** Returns the reason to hide an estate, or undefined if it may be shown. An unknown number is no reason. */
export function withdrawalOf(record: JsonRecord, context: RecordContext): string | undefined {
  for (const [name, table] of TABLES) {
    const withdrawn = withdrawalFor(lookUp(table, numberOf(record, name), name, context), context);
    if (withdrawn !== undefined) return `${name}: ${withdrawn}`;
  }
  return undefined;
}

export function statutOf(record: JsonRecord): Statut | undefined {
  const statut = PURPOSE_STATUSES.find(numberOf(record, 'purposeStatus') ?? '')?.statut;
  if (statut !== undefined || DISPLAY_STATUSES.find(numberOf(record, 'displayStatus') ?? '')?.statut === undefined)
    return statut;
  return numberOf(record, 'purpose') === '2' ? 'loue' : 'vendu';
}

export function showsAddress(record: JsonRecord): boolean {
  return toFlag(scalarOf(record['displayAddress'])) === true;
}

export function showsPrice(record: JsonRecord): boolean {
  return toFlag(scalarOf(record['displayPrice'])) !== false;
}
