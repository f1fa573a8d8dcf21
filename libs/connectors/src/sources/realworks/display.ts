import type { Statut } from '@passerelle/domain';
import type { JsonRecord } from '../../formats/json-records';
import { toFlag } from '../../kit/clean/fold-word';
import type { RecordContext } from '../../kit/contracts';
import { compilePath, scalarOf, textOf } from '../../kit/values';
import { withdrawalFor } from '../../kit/status';
import { lookUp } from '../../kit/word-table';
import { STATUSES } from './lookups';

const STATUS = 'financieel.overdracht.status';
const statusAt = compilePath(STATUS);

/** Returns why an object must be hidden, or undefined if it may be shown. An unknown status does not hide it. */
export function withdrawalOf(record: JsonRecord, context: RecordContext): string | undefined {
  if (toFlag(scalarOf(record['vertrouwelijk'])) === true) return 'vertrouwelijk: confidential';
  if (toFlag(scalarOf(record['actief'])) === false) return 'actief: not active';
  const withdrawn = withdrawalFor(lookUp(STATUSES, textOf(statusAt(record)), STATUS, context), context);
  return withdrawn === undefined ? undefined : `status: ${withdrawn}`;
}

export function statutOf(record: JsonRecord): Statut | undefined {
  return STATUSES.find(textOf(statusAt(record)) ?? '')?.statut;
}

/** The API does not say whether an address may be shown, so a setting decides. By default the address is hidden. */
export function showsAddress(_record: JsonRecord, context: RecordContext): boolean {
  return toFlag(context.settings['publier-adresse']) === true;
}
