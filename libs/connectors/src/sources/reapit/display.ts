import type { JsonRecord } from '../../formats/json-records';
import { toFlag } from '../../kit/clean/fold-word';
import type { RecordContext } from '../../kit/contracts';
import { compilePath, scalarOf, textOf } from '../../kit/values';
import { lookUp } from '../../kit/word-table';
import { LETTING, SELLING, type Showing } from './lookups';

const modeAt = compilePath('marketingMode');
const sides = {
  selling: { statusAt: compilePath('selling.status'), table: SELLING },
  letting: { statusAt: compilePath('letting.status'), table: LETTING },
} as const;

export type Side = keyof typeof sides;

/** Each side (sale, letting) with the meaning of its status. @param context gets a warning about an unknown status. */
function showings(record: JsonRecord, context?: RecordContext): [Side, Showing][] {
  const mode = textOf(modeAt(record)) ?? '';
  return (['selling', 'letting'] as const)
    .filter((side) =>
      mode === '' ? record[side] !== undefined && record[side] !== null : mode.toLowerCase().includes(side),
    )
    .map((side) => {
      const { statusAt, table } = sides[side];
      const word = textOf(statusAt(record));
      const found = context === undefined ? table.find(word ?? '') : lookUp(table, word, `${side}.status`, context);
      return [side, found ?? {}];
    });
}

export function shownSides(record: JsonRecord): Side[] {
  return showings(record).flatMap(([side, { withdrawn }]) => (withdrawn === undefined ? [side] : []));
}

/**
 * Returns why a property must be hidden: not for the internet, archived, or no side that may be shown. An unknown
 * status does not hide it.
 */
export function withdrawalOf(record: JsonRecord, context: RecordContext): string | undefined {
  if (toFlag(scalarOf(record['internetAdvertising'])) === false) return 'internetAdvertising: not for the internet';
  if (toFlag(scalarOf(record['fromArchive'])) === true) return 'fromArchive: archived';
  const reasons = showings(record, context);
  const mode = textOf(modeAt(record));
  if (reasons.length === 0 && mode !== undefined) context.warn('unknown_word', 'marketingMode', mode.slice(0, 120));
  const hidden = reasons.filter(([, { withdrawn }]) => withdrawn !== undefined);
  if (reasons.length === 0 || hidden.length < reasons.length) return undefined;
  return hidden.map(([side, { withdrawn }]) => `${side}: ${withdrawn ?? ''}`).join(', ');
}

/** Whether each shown side is under offer. */
export function isUnderOffer(record: JsonRecord): true | undefined {
  const open = showings(record).filter(([, { withdrawn }]) => withdrawn === undefined);
  return (open.length > 0 && open.every(([, { isUnderOffer }]) => isUnderOffer === true)) || undefined;
}

/** The API does not say whether an address may be shown, so a setting decides; by default only the district. */
export function showsAddress(_record: JsonRecord, context: RecordContext): true | 'district' {
  return toFlag(context.settings['publier-adresse']) === true ? true : 'district';
}
