import { isRental, type Statut } from '@passerelle/domain';
import type { JsonRecord } from '../../formats/json-records';
import { toFlag } from '../../kit/clean/fold-word';
import type { RecordContext } from '../../kit/contracts';
import { compilePath, scalarOf, textOf } from '../../kit/values';
import { lookUp } from '../../kit/word-table';
import { LETTING, SELLING } from './lookups';
import { type Showing, withdrawalFor } from '../../kit/status';
import { offerOf } from '../../formats/several-offers';

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

/** The sides that are on offer; if none is, those that are sold or let, which only `keep-sold` shows. */
export function shownSides(record: JsonRecord): Side[] {
  const all = showings(record);
  const open = all.filter(([, { withdrawn }]) => withdrawn === undefined);
  return (open.length > 0 ? open : all.filter(([, { statut }]) => statut !== undefined)).map(([side]) => side);
}

/** The side that this copy of the record is for: of several, the sale is the first. */
export function sideOf(record: JsonRecord): Side | undefined {
  const offer = offerOf(record);
  return offer === undefined ? shownSides(record)[0] : isRental(offer) ? 'letting' : 'selling';
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
  const hidden = reasons.filter(([, showing]) => showing.withdrawn !== undefined);
  if (reasons.length === 0 || hidden.length < reasons.length) return undefined;
  if (hidden.some(([, showing]) => withdrawalFor(showing, context) === undefined)) return undefined;
  return hidden.map(([side, { withdrawn }]) => `${side}: ${withdrawn ?? ''}`).join(', ');
}

export function statutOf(record: JsonRecord): Statut | undefined {
  const side = sideOf(record);
  return showings(record).find(([name]) => name === side)?.[1].statut;
}

/** The API does not say whether an address may be shown, so a setting decides; by default only the district. */
export function showsAddress(_record: JsonRecord, context: RecordContext): true | 'district' {
  return toFlag(context.settings['publier-adresse']) === true ? true : 'district';
}
