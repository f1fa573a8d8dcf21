import type { Listing } from '@passerelle/domain';
import type { XmlRecord } from '../../formats/xml-records';
import { toYear } from '../../kit/clean/number';
import type { RecordContext } from '../../kit/contracts';
import { compilePath, textOf } from '../../kit/values';
import { attributeOf } from './attributes';
import { NEW_CONDITIONS } from './lookups';

export type Condition = Pick<Listing, 'anneeConstruction' | 'neuf'>;

const at = {
  year: compilePath('zustand_angaben.baujahr'),
  condition: compilePath('zustand_angaben.zustand'),
  age: compilePath('zustand_angaben.alter'),
};
/** Finds the year in texts such as `um 1900` and `1985/86`. */
const YEAR = /\b(1[0-9]{3}|2[01][0-9]{2})\b/;

export function readCondition(record: XmlRecord, context: RecordContext): Condition {
  const condition: Condition = {};
  const built = textOf(at.year(record)) ?? '';
  const year = toYear(YEAR.exec(built)?.[1]);
  if (year === undefined && /[1-9]/.test(built))
    context.warn('implausible_value', 'zustand_angaben.baujahr', built.slice(0, 120));
  if (year !== undefined) condition.anneeConstruction = year;
  const neuf = isNew(record);
  if (neuf !== undefined) condition.neuf = neuf;
  return condition;
}

function isNew(record: XmlRecord): boolean | undefined {
  const condition = textOf(attributeOf(at.condition(record), 'zustand_art'))?.toUpperCase() ?? '';
  const age = textOf(attributeOf(at.age(record), 'alter_attr'))?.toUpperCase() ?? '';
  if (NEW_CONDITIONS.has(condition) || NEW_CONDITIONS.has(age)) return true;
  return age === 'ALTBAU' ? false : undefined;
}
