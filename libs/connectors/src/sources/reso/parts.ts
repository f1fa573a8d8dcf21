import type { TypeCode } from '@passerelle/domain';
import type { JsonRecord } from '../../formats/json-records';
import { toCents, toNumber } from '../../kit/clean/number';
import type { RecordContext } from '../../kit/contracts';
import { readPrice } from '../../kit/price';
import { scalarOf, textOf } from '../../kit/values';
import { DIGITS, frequencyOf } from './offer';

const MONTHS = 12;

/** The fees of both owners' associations per year. If the period of one is unknown, their sum is too. */
export function associationFeeOf(record: JsonRecord, context: RecordContext): number | undefined {
  let sum: number | undefined;
  for (const field of ['AssociationFee', 'AssociationFee2']) {
    const fee = readPrice(record[field], field, context, DIGITS);
    if (fee === undefined) continue;
    if (textOf(record[`${field}Frequency`]) === undefined) {
      context.warn('implausible_value', field, `${fee} without ${field}Frequency`);
      return undefined;
    }
    const frequency = frequencyOf(record, `${field}Frequency`, context);
    if (frequency === undefined) return undefined;
    sum = toCents((sum ?? 0) + fee * frequency.perMonth * MONTHS);
  }
  return sum;
}

/** `EntryLevel` of a flat: 1 is the ground floor. The entrance of a house is on no floor of its own. */
export function floorOf(record: JsonRecord, typeCode: TypeCode | undefined): number | undefined {
  if (typeCode !== 'appartement') return undefined;
  const level = toNumber(scalarOf(record['EntryLevel']), DIGITS);
  if (level === undefined || level === 0 || !Number.isInteger(level)) return undefined;
  return level > 0 ? level - 1 : level;
}
