import type { Statut } from '@passerelle/domain';
import type { JsonRecord } from '../../formats/json-records';
import { foldWord, toFlag } from '../../kit/clean/fold-word';
import type { RecordContext } from '../../kit/contracts';
import { compilePath, scalarOf, textOf } from '../../kit/values';
import { withdrawalFor } from '../../kit/status';
import { lookUp } from '../../kit/word-table';
import { STATUSES } from './lookups';

const at = {
  status: compilePath('property_status.name'),
  statusId: compilePath('property_status.id'),
  nonpublic: compilePath('property_status.nonpublic'),
};

/** Returns why a property must be hidden. An unknown status hides it, because it may be for internal use. */
export function withdrawalOf(record: JsonRecord, context: RecordContext): string | undefined {
  if (toFlag(scalarOf(record['archived'])) === true) return 'archived';
  const [word, id] = [textOf(at.status(record)), textOf(at.statusId(record))];
  const wanted = (context.settings['statuts'] ?? '')
    .split(',')
    .map(foldWord)
    .filter((name) => name !== '');
  if (wanted.length > 0) {
    const isWanted = [word, id].some((name) => name !== undefined && wanted.includes(foldWord(name)));
    return isWanted ? undefined : `property_status: ${word ?? 'none'}`;
  }
  if (toFlag(scalarOf(at.nonpublic(record))) === true) return 'property_status: not public';
  if (word === undefined) return 'property_status: none';
  const showing = lookUp(STATUSES, word, 'property_status.name', context);
  return showing === undefined ? 'property_status: unknown' : withReason(withdrawalFor(showing, context));
}

function withReason(withdrawn: string | undefined): string | undefined {
  return withdrawn === undefined ? undefined : `property_status: ${withdrawn}`;
}

export function statutOf(record: JsonRecord): Statut | undefined {
  return STATUSES.find(textOf(at.status(record)) ?? '')?.statut;
}

/** The API always gives the street, so the address is shown only if `hide_address` is false. */
export function showsAddress(record: JsonRecord): boolean {
  return toFlag(scalarOf(record['hide_address'])) === false;
}
