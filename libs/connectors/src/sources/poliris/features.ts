import type { PolirisRow } from '../../formats/poliris-rows';
import { features, lookedUp, namesOfYes } from '../../kit/collections';
import type { RecordContext } from '../../kit/contracts';
import { once } from '../../kit/together';
import { computed, type Verb } from '../../kit/verbs';
import { HEATING_SYSTEMS, HEAT_SOURCES, KITCHENS, SAID_BY_FLAGS } from './lookups';

/** The names of the flags that are set, then the free text of rank 239. */
export const FEATURES = features<PolirisRow>(
  (row) => [...flags(row), ...(row[239] ?? '').split(/<br\s*\/?>|[\r\n;]+/i)],
  '239',
  ...Object.keys(SAID_BY_FLAGS),
);

const flags = namesOfYes(SAID_BY_FLAGS);
const kitchensOf = lookedUp(KITCHENS, '34');

/** Rank 34: "équipée" means a fitted kitchen, "aucune" means none. Other words leave it unknown. */
export const FITTED_KITCHEN: Verb<PolirisRow, boolean> = computed((row: PolirisRow, context: RecordContext) => {
  const [kitchen] = kitchensOf(row, context);
  if (kitchen === undefined) return undefined;
  return kitchen.includes('équipé') ? true : kitchen === 'aucune' ? false : undefined;
}, '34');

const heatingOf = lookedUp(HEATING_SYSTEMS, '33');

/** This field warns about unknown words of rank 33; `HEAT_SOURCE` reads the same rank without a warning. */
export const HEATING_TYPE: Verb<PolirisRow, string> = once(
  computed((row: PolirisRow, context: RecordContext) => heatingOf(row, context)[0] || undefined, '33'),
);
export const HEAT_SOURCE: Verb<PolirisRow, string> = computed(
  (row: PolirisRow) => HEAT_SOURCES.find(row[33] ?? ''),
  '33',
);
