import type { JsonRecord } from '../../formats/json-records';
import { plainLine } from '../../kit/clean/plain-text';
import { textOf } from '../../kit/scalar';
import { showsAddress } from './display';

const STREET = ['StreetNumber', 'StreetDirPrefix', 'StreetName', 'StreetSuffix', 'StreetDirSuffix'] as const;

/** The address as the agent wrote it, else put together from its parts; undefined where it may not be shown. */
export function addressOf(record: JsonRecord): string | undefined {
  if (!showsAddress(record)) return undefined;
  return plainLine(textOf(record['UnparsedAddress']) ?? '') ?? streetOf(record);
}

function streetOf(record: JsonRecord): string | undefined {
  if (textOf(record['StreetName']) === undefined) return undefined;
  const street = STREET.map((field) => textOf(record[field]) ?? '').join(' ');
  const unit = textOf(record['UnitNumber']);
  return plainLine(unit === undefined ? street : `${street} #${unit}`);
}
