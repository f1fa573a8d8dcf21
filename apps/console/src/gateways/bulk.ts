import { type GatewayPause, SHOWN_STATES, type ShownState } from '@passerelle/domain';
import type { GatewayRow } from '@passerelle/operations';
import { digestShown } from '../layout/digest';

/** Acts for one gateway, and for many. The form of one gateway changes its period. */
export const SINGLE_ACTS = ['ingest', 'retry', 'dry-run', 'pause', 'resume', 'enable', 'disable'] as const;
export const BULK_ACTS = [...SINGLE_ACTS, 'period'] as const;
export type BulkAct = (typeof BULK_ACTS)[number];

/** The most gateways of one action, to limit the size of a form and the time that an operator waits. */
export const MOST_AT_ONCE = 1_000;

export interface LeftAlone {
  id: number;
  row: GatewayRow | null;
  why: 'gone' | 'changed' | 'repaused' | 'already' | 'paused' | 'elsewhere';
  was: ShownState | undefined;
}

/** A selected gateway, with the state that the page showed. */
export interface Chosen {
  id: number;
  /** Empty when the form does not contain the state. */
  shown: string;
}

/** The text with which a form records the shown state of a gateway, and the pause of a paused one. */
export function shownAs({ state, paused }: GatewayRow): string {
  return paused === null ? state : `${state}.${digestShown(paused)}`;
}

export function stateShown(shown: string): ShownState | undefined {
  return SHOWN_STATES.find((state) => state === shown.split('.')[0]);
}

/** How a gateway differs from its shown state; null if it does not differ. */
export function changeSince(shown: string, row: GatewayRow): 'changed' | 'repaused' | null {
  if (shown === '' || shown === shownAs(row)) return null;
  return stateShown(shown) === row.state ? 'repaused' : 'changed';
}

/** Skips gateways that were removed, have changed, or are already in the wanted state. */
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
  if (act === 'period') return null;
  if (act === 'enable') return enabled ? 'already' : null;
  if (act === 'disable') return enabled ? null : 'already';
  if (act === 'resume') {
    if (paused === null) return 'already';
    return isPausedByItself(paused) ? null : 'elsewhere';
  }
  if ((act === 'ingest' || act === 'retry') && paused !== null) return 'paused';
  if (act === 'retry' && failures === 0) return 'changed';
  return active ? null : 'changed';
}

/** Whether a pause covers only this gateway, and not its connector or the host of its source. */
export function isPausedByItself({ crm, host }: GatewayPause): boolean {
  return crm === null && host === null;
}
