import type { JsonRecord } from '../../formats/json-records';
import { toFlag } from '../../kit/clean/fold-word';
import { toYear } from '../../kit/clean/number';
import { plainLine } from '../../kit/clean/plain-text';
import { compilePath, listOf, scalarOf, textOf } from '../../kit/values';
import type { Verb } from '../../kit/verbs';

/** Ids in `details`, a list of `{id, label, value, enum, group, type}`. Public clients and a public answer have them. */
export const DETAILS = {
  yearBuilt: '14',
  floors: '15',
  pool: '322',
  tenantCharges: '301',
  lift: '372',
  netArea: '407',
  energyLabel: '2056',
  energyValue: '2089',
  emission: '2090',
  orientation: '23',
  heatingType: '53',
  kitchen: '1595',
  groundDestination: '1736',
  possibleFlood: '2222',
  floodArea: '2223',
  summons: '2712',
  indoorParking: '20',
  outdoorParking: '21',
  accessible: '22',
  airConditioning: '43',
  toilets: '55',
  renovated: '585',
  buildingPermit: '808',
  landDivision: '812',
  let: '824',
  heating: '1020',
  cadastralIncome: '1733',
  preemption: '1734',
  latitude: '1849',
  longitude: '1850',
} as const;

/** Details that mean yes or no and have no field, with the words of the source. */
const NAMES: Readonly<Record<string, string>> = {
  ...{ 56: 'véranda', 67: 'bureau', 134: 'débarras', 142: 'salle de fitness', 461: 'double vitrage', 724: 'égouts' },
  ...{ 778: 'isolation', 1752: 'alarme', 1762: 'concierge', 1773: 'citerne d’eau' },
};
export const FEATURE_DETAILS: readonly string[] = Object.keys(NAMES);
export const POSITION_DETAILS: readonly string[] = [DETAILS.latitude, DETAILS.longitude];

const detailsAt = compilePath('details');

function detailOf(record: unknown, id: string): JsonRecord | undefined {
  return listOf(detailsAt(record)).find(
    (one): one is JsonRecord => typeof one === 'object' && one !== null && textOf((one as JsonRecord)['id']) === id,
  );
}

/** A choice has its word in `value` and its number in `enum.id`; the tables have the numbers. */
function valueOf(record: unknown, id: string): unknown {
  const found = detailOf(record, id);
  const number = textOf((found?.['enum'] as JsonRecord | null | undefined)?.['id']);
  return number ?? found?.['value'];
}

/** The word of a choice, in the language of the answer. */
export function wordOf(record: JsonRecord, name: keyof typeof DETAILS): string | undefined {
  return plainLine(textOf(detailOf(record, DETAILS[name])?.['value']));
}

export function featuresOf(record: JsonRecord): string[] {
  const renovated = toYear(scalarOf(valueOf(record, DETAILS.renovated)));
  const said = Object.entries(NAMES).filter(([id]) => toFlag(scalarOf(valueOf(record, id))) === true);
  return [...said.map(([, name]) => name), ...(renovated === undefined ? [] : [`Rénové en ${renovated}`])];
}

/** Applies a verb of the kit to one detail, as if the detail were a member of the record. */
export function detail<T>(name: keyof typeof DETAILS, one: (path: string) => Verb<unknown, T>): Verb<JsonRecord, T> {
  const field = `details.${DETAILS[name]}`;
  const answer = one(field);
  return {
    verb: 'detail',
    paths: ['details.id', 'details.value'],
    read: (record, context) => answer.read({ details: { [DETAILS[name]]: valueOf(record, DETAILS[name]) } }, context),
  };
}
