import type { GatewayPause } from '@passerelle/domain';
import { type GatewayRow, ROW_STATES, type RowState } from '@passerelle/operations';
import { digestShown } from '../layout/digest';

/** What can be done with many gateways at once. */
export const BULK_ACTS = ['ingest', 'retry', 'dry-run', 'pause', 'resume', 'enable', 'disable'] as const;
export type BulkAct = (typeof BULK_ACTS)[number];

/** So many at once: a form has room for them, and the acts end while somebody waits. */
export const MOST_AT_ONCE = 1_000;

/** A gateway that was chosen and is left alone, and why. */
export interface LeftAlone {
  id: number;
  row: GatewayRow | null;
  why: 'gone' | 'changed' | 'repaused' | 'already' | 'elsewhere';
  /** The state in which it was shown. */
  was: RowState | undefined;
}

/** A gateway that an act is asked for, as it was shown: see `shownAs`. */
export interface Chosen {
  id: number;
  /** Empty where the form does not say. */
  shown: string;
}

/** What a form says of a gateway that it shows: its state, and of one that is paused by which pause. */
export function shownAs({ state, paused }: GatewayRow): string {
  if (state !== 'paused') return state;
  return `paused.${digestShown(paused)}`;
}

/** The state in which a gateway was shown. */
export function stateShown(shown: string): RowState | undefined {
  return ROW_STATES.find((state) => state === shown.split('.')[0]);
}

/** Whether a gateway is another than it was shown, and how: null where it is not. */
export function changeSince(shown: string, row: GatewayRow): 'changed' | 'repaused' | null {
  if (shown === '' || shown === shownAs(row)) return null;
  return stateShown(shown) === row.state ? 'repaused' : 'changed';
}

/**
 * Parts what was chosen from what is no longer so: a gateway that is gone, one that is no longer as it was shown, and one for which
 * there is nothing to do.
 */
export function judgeChosen(
  chosen: readonly Chosen[],
  fresh: readonly GatewayRow[],
  act: BulkAct,
): { fit: GatewayRow[]; left: LeftAlone[] } {
  const rows = new Map(fresh.map((row) => [row.id, row]));
  const fit: GatewayRow[] = [];
  const left: LeftAlone[] = [];
  for (const { id, shown } of chosen) {
    const row = rows.get(id) ?? null;
    const why = row === null ? 'gone' : (changeSince(shown, row) ?? whyNot(row, act));
    if (row !== null && why === null) fit.push(row);
    else left.push({ id, row, why: why ?? 'gone', was: stateShown(shown) });
  }
  return { fit, left };
}

function whyNot({ active, enabled, paused, failures }: GatewayRow, act: BulkAct): LeftAlone['why'] | null {
  if (act === 'enable') return enabled ? 'already' : null;
  if (act === 'disable') return enabled ? null : 'already';
  if (act === 'resume') {
    if (paused === null) return 'already';
    return isPausedByItself(paused) ? null : 'elsewhere';
  }
  if ((act === 'ingest' || act === 'retry') && paused !== null) return 'changed';
  if (act === 'retry' && failures === 0) return 'changed';
  return active ? null : 'changed';
}

/** Whether a pause is of one gateway, rather than of its connector or the host of its source. */
export function isPausedByItself({ crm, host }: GatewayPause): boolean {
  return crm === null && host === null;
}
