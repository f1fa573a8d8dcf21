import type { Listing } from '@passerelle/domain';
import type { XmlRecord } from '../../formats/xml-records';
import { toNumber, toYear } from '../../kit/clean/number';
import { toEnergyClass } from '../../kit/clean/words';
import type { RecordContext } from '../../kit/contracts';
import { compilePath, textOf } from '../../kit/values';
import * as v from '../../kit/verbs';
import { attributeOf } from './attributes';
import { NEW_CONDITIONS } from './lookups';

/** What `zustand_angaben` says: age, condition and the energy certificate. */
export type Condition = Pick<Listing, 'anneeConstruction' | 'neuf' | 'dpeClasse' | 'dpeValeur' | 'dpeDate'>;

const at = {
  year: compilePath('zustand_angaben.baujahr'),
  condition: compilePath('zustand_angaben.zustand'),
  age: compilePath('zustand_angaben.alter'),
  kind: compilePath('zustand_angaben.energiepass.epart'),
};
const issuedAt = v.day('zustand_angaben.energiepass.ausstelldatum');
const CLASSES = ['zustand_angaben.energiepass.wertklasse', 'zustand_angaben.energiepass.hwbklasse'].map(compilePath);
const CONSUMED = compilePath('zustand_angaben.energiepass.energieverbrauchkennwert');
const NEEDED = compilePath('zustand_angaben.energiepass.endenergiebedarf');
const AUSTRIAN = compilePath('zustand_angaben.energiepass.hwbwert');
/** `um 1900`, `1985/86` */
const YEAR = /\b(1[0-9]{3}|2[01][0-9]{2})\b/;
/** `120,5 kWh/(m²*a)` */
const LEADING_NUMBER = /^\s*(\d[\d.,]*)/;

/** Reads them for one object. A certificate is by consumption or by need; `epart` says which of its values counts. */
export function readCondition(record: XmlRecord, context: RecordContext): Condition {
  const condition: Condition = {};
  const built = textOf(at.year(record)) ?? '';
  const year = toYear(YEAR.exec(built)?.[1]);
  if (year === undefined && /[1-9]/.test(built))
    context.warn('implausible_value', 'zustand_angaben.baujahr', built.slice(0, 120));
  if (year !== undefined) condition.anneeConstruction = year;
  const neuf = isNew(record);
  if (neuf !== undefined) condition.neuf = neuf;
  const energyClass = CLASSES.map((place) => toEnergyClass(textOf(place(record)))).find((found) => found !== undefined);
  if (energyClass !== undefined) condition.dpeClasse = energyClass;
  const isByNeed = /^bedarf/i.test(textOf(at.kind(record)) ?? '');
  for (const place of isByNeed ? [NEEDED, CONSUMED, AUSTRIAN] : [CONSUMED, NEEDED, AUSTRIAN]) {
    const value = toNumber(LEADING_NUMBER.exec(textOf(place(record)) ?? '')?.[1]);
    if (value === undefined || value <= 0) continue;
    condition.dpeValeur = value;
    break;
  }
  const issued = issuedAt.read(record, context);
  if (issued !== undefined) condition.dpeDate = issued;
  return condition;
}

function isNew(record: XmlRecord): boolean | undefined {
  const condition = textOf(attributeOf(at.condition(record), 'zustand_art'))?.toUpperCase() ?? '';
  const age = textOf(attributeOf(at.age(record), 'alter_attr'))?.toUpperCase() ?? '';
  if (NEW_CONDITIONS.has(condition) || NEW_CONDITIONS.has(age)) return true;
  return age === 'ALTBAU' ? false : undefined;
}
