import type { GatewayPause } from '@passerelle/domain';
import type { GatewayRow, RowState } from '@passerelle/operations';

/** What can be done with many gateways at once. */
export const BULK_ACTS = ['ingest', 'retry', 'dry-run', 'pause', 'resume', 'enable', 'disable'] as const;
export type BulkAct = (typeof BULK_ACTS)[number];

/** So many at once: a form has room for them, and the acts end while somebody waits. */
export const MOST_AT_ONCE = 1_000;

/** A gateway that was chosen and is left alone, and why. */
export interface LeftAlone {
  id: number;
  row: GatewayRow | null;
  why: 'gone' | 'changed' | 'already' | 'elsewhere';
}

/**
 * Parts what was chosen from what is no longer so: a gateway that is gone, one that is in another state than those that were
 * searched for, and one for which there is nothing to do.
 *
 * @param expected the state that was searched for
 */
export function judgeChosen(
  ids: readonly number[],
  fresh: readonly GatewayRow[],
  act: BulkAct,
  expected: RowState | undefined,
): { fit: GatewayRow[]; left: LeftAlone[] } {
  const rows = new Map(fresh.map((row) => [row.id, row]));
  const fit: GatewayRow[] = [];
  const left: LeftAlone[] = [];
  for (const id of ids) {
    const row = rows.get(id) ?? null;
    const why = row === null ? 'gone' : whyNot(row, act, expected);
    if (row !== null && why === null) fit.push(row);
    else left.push({ id, row, why: why ?? 'gone' });
  }
  return { fit, left };
}

function whyNot(
  { state, active, enabled, paused, failures }: GatewayRow,
  act: BulkAct,
  expected?: RowState,
): LeftAlone['why'] | null {
  if (expected !== undefined && state !== expected) return 'changed';
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
