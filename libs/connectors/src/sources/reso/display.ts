import type { JsonRecord } from '../../formats/json-records';
import { toFlag } from '../../kit/clean/words';
import type { RecordContext } from '../../kit/contracts';
import { scalarOf, textOf } from '../../kit/values';
import { HIDDEN_STATUSES as HIDDEN, SHOWN_STATUSES, squeezed } from './lookups';

const DELETED = 'delete';
// Some servers write `Yn`: the owner's wish must hold in either spelling.
const CAN_VIEW = ['MlgCanView'];
const ENTIRE_LISTING = ['InternetEntireListingDisplayYN', 'InternetEntireListingDisplayYn'];
const ADDRESS = ['InternetAddressDisplayYN', 'InternetAddressDisplayYn'];

/** Why a record is not to be shown, in words; undefined for one that is. */
export function withdrawalOf(record: JsonRecord, context: RecordContext): string | undefined {
  if (saysNo(record, CAN_VIEW)) return 'MlgCanView is false';
  if (saysNo(record, ENTIRE_LISTING)) return 'InternetEntireListingDisplayYN is false';
  const status = textOf(record['StandardStatus']);
  if (status === undefined) return localWithdrawalOf(record, context);
  const isShown = squeezed(status) !== DELETED && shownStatuses(context).has(squeezed(status));
  return isShown ? undefined : `StandardStatus is ${status.slice(0, 40)}`;
}

/** Without a standard status the local one counts where it is a standard word: words of one's own say nothing here. */
function localWithdrawalOf(record: JsonRecord, context: RecordContext): string | undefined {
  const word = textOf(record['MlsStatus']) ?? '';
  const status = squeezed(word);
  const isHidden = HIDDEN_STATUSES.has(status) && (status === DELETED || !shownStatuses(context).has(status));
  return isHidden ? `MlsStatus is ${word}` : undefined;
}

/** Whether the address, and with it the place on the map, may be shown. */
export function showsAddress(record: JsonRecord): boolean {
  return !saysNo(record, ADDRESS);
}

function saysNo(record: JsonRecord, spellings: readonly string[]): boolean {
  return spellings.some((field) => toFlag(scalarOf(record[field])) === false);
}

const HIDDEN_STATUSES: ReadonlySet<string> = new Set(HIDDEN.map(squeezed));
const DEFAULT_STATUSES: ReadonlySet<string> = new Set(SHOWN_STATUSES.map(squeezed));
let lastSetting = '';
let lastStatuses: ReadonlySet<string> = DEFAULT_STATUSES;

/** Read once for all records of a run. */
function shownStatuses({ settings }: RecordContext): ReadonlySet<string> {
  const setting = settings['statuses'] ?? settings['statuts'] ?? '';
  if (setting.trim() === '') return DEFAULT_STATUSES;
  if (setting !== lastSetting) {
    lastStatuses = new Set(setting.split(/[,;]/).map(squeezed));
    lastSetting = setting;
  }
  return lastStatuses;
}
