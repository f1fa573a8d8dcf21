import type { Statut } from '@passerelle/domain';
import type { JsonRecord } from '../../formats/json-records';
import { toFlag } from '../../kit/clean/fold-word';
import type { RecordContext } from '../../kit/contracts';
import { compilePath, scalarOf, textOf } from '../../kit/values';
import { lookUp } from '../../kit/word-table';
import { MARKETING, STATUSES } from './lookups';
import { keepsSold } from '../../kit/status';

const said = (name: string): ((record: JsonRecord) => boolean | undefined) => {
  const at = compilePath(`elements.${name}`);
  return (record) => toFlag(scalarOf(at(record)));
};
const statusAt = compilePath('elements.status');
const isPublished = said('veroeffentlichen');
const isSold = said('verkauft');
const isReserved = said('reserviert');
const marketingAt = compilePath('elements.vermarktungsart');
const isReference = said('referenz');
const isReleased = said('objektadresse_freigeben');
const isVirtual = said('virtualAddress');
const hidesPrice = said('preisAufAnfrage');

export function withdrawalOf(record: JsonRecord, context: RecordContext): string | undefined {
  if (isPublished(record) === false) return 'veroeffentlichen: not for the website';
  if (!keepsSold(context)) {
    if (isSold(record) === true) return 'verkauft: sold or let';
    if (isReference(record) === true) return 'referenz: shown as a reference';
  }
  const status = lookUp(STATUSES, textOf(statusAt(record)), 'elements.status', context);
  return status === undefined || status === '' ? undefined : `status: ${status}`;
}

/** `verkauft` is said of sales and rentals alike. */
export function statutOf(record: JsonRecord): Statut | undefined {
  if (isSold(record) === true || isReference(record) === true)
    return MARKETING.find(textOf(marketingAt(record)) ?? '') === 'rent' ? 'loue' : 'vendu';
  return isReserved(record) === true ? 'sous-offre' : undefined;
}

export function showsOtherAddress(record: JsonRecord): boolean {
  return isVirtual(record) === true;
}

export function showsAddress(record: JsonRecord): boolean {
  return isReleased(record) === true && !showsOtherAddress(record);
}

export function isOnRequest(record: JsonRecord): boolean {
  return hidesPrice(record) === true;
}
