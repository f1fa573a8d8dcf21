import type { JsonRecord } from '../../formats/json-records';
import { compilePath, listOf, textOf } from '../../kit/values';
import type { Verb } from '../../kit/verbs';

/** Ids in `details`, a list of `{id, label, value, group, type}`. Public clients read the same ids. */
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
} as const;

const detailsAt = compilePath('details');

function valueOf(record: unknown, id: string): unknown {
  for (const detail of listOf(detailsAt(record))) {
    if (typeof detail !== 'object' || detail === null) continue;
    const { id: own, value } = detail as Readonly<Record<string, unknown>>;
    if (textOf(own) === id) return value;
  }
  return undefined;
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
