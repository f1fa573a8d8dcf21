import type { Statut } from '@passerelle/domain';
import type { JsonRecord } from '../../formats/json-records';
import { toFlag } from '../../kit/clean/fold-word';
import type { RecordContext } from '../../kit/contracts';
import { listOf, scalarOf, textOf } from '../../kit/values';
import { lookUp } from '../../kit/word-table';
import { SHOWN_STATUSES, squeezed, STATUSES } from './lookups';
import { keepsSold } from '../../kit/status';

const DELETED = 'delete';
const CLOSED = 'closed';
// Some servers write `Yn` instead of `YN`. The owner's wish must be respected in both spellings.
const CAN_VIEW = ['MlgCanView'];
const ENTIRE_LISTING = ['InternetEntireListingDisplayYN', 'InternetEntireListingDisplayYn'];
const ADDRESS = ['InternetAddressDisplayYN', 'InternetAddressDisplayYn'];

export function withdrawalOf(record: JsonRecord, context: RecordContext): string | undefined {
  if (saysNo(record, CAN_VIEW)) return 'MlgCanView is false';
  if (!mayBeAdvertised(record)) return 'MlgCanUse does not contain IDX';
  if (saysNo(record, ENTIRE_LISTING)) return 'InternetEntireListingDisplayYN is false';
  const standard = textOf(record['StandardStatus']);
  if (standard !== undefined) {
    // `StandardStatus` has a closed list of words, so an unknown word hides the listing.
    return isShown(standard, 'StandardStatus', context) === true
      ? undefined
      : `StandardStatus is ${standard.slice(0, 40)}`;
  }
  // Each server has its own words for the local status, so an unknown word does not hide the listing.
  const local = textOf(record['MlsStatus']);
  return local !== undefined && isShown(local, 'MlsStatus', context) === false
    ? `MlsStatus is ${local.slice(0, 40)}`
    : undefined;
}

/** Whether listings of this status are shown; undefined for an unknown status, which gives a warning. */
function isShown(word: string, field: string, context: RecordContext): boolean | undefined {
  const shown = shownStatuses(context);
  const known = STATUSES.find(word);
  if (known === DELETED) return false;
  if (known === CLOSED && keepsSold(context)) return true;
  // An operator may name a word that only this server uses.
  if (shown.has(squeezed(word))) return true;
  const status = known ?? lookUp(STATUSES, word, field, context);
  return status === undefined ? undefined : shown.has(status);
}

/** The standard says of both that an offer was accepted, and not that a contract was signed. */
const UNDER_OFFER: ReadonlySet<string> = new Set(['ActiveUnderContract', 'Pending'].map(squeezed));

/** An MLS writes "closed" when a sale is completed, and when a lease is signed. */
export function statutOf(record: JsonRecord, isLet: boolean): Statut | undefined {
  const status = STATUSES.find(textOf(record['StandardStatus']) ?? textOf(record['MlsStatus']) ?? '') ?? '';
  if (status === CLOSED) return isLet ? 'loue' : 'vendu';
  return UNDER_OFFER.has(status) ? 'sous-offre' : undefined;
}

export function showsAddress(record: JsonRecord): boolean {
  return !saysNo(record, ADDRESS);
}

/** MLS Grid: the uses that the licence permits. IDX is the public display on websites; VOW needs a login, BO is internal. */
function mayBeAdvertised(record: JsonRecord): boolean {
  const uses = listOf(record['MlgCanUse']).flatMap((value) => textOf(value)?.split(',') ?? []);
  return uses.length === 0 || uses.some((use) => use.trim().toUpperCase() === 'IDX');
}

function saysNo(record: JsonRecord, spellings: readonly string[]): boolean {
  return spellings.some((field) => toFlag(scalarOf(record[field])) === false);
}

const DEFAULT_STATUSES: ReadonlySet<string> = new Set(SHOWN_STATUSES.map(squeezed));
let lastSetting = '';
let lastStatuses: ReadonlySet<string> = DEFAULT_STATUSES;

/** The set is cached, because all records of a run have the same settings. */
function shownStatuses({ settings }: RecordContext): ReadonlySet<string> {
  const setting = settings['statuses'] ?? settings['statuts'] ?? '';
  if (setting.trim() === '') return DEFAULT_STATUSES;
  if (setting !== lastSetting) {
    lastStatuses = new Set(setting.split(/[,;]/).map(squeezed));
    lastSetting = setting;
  }
  return lastStatuses;
}
