import { LRUCache } from 'lru-cache';

/** A walk, with times in ms by this process' monotonic clock. */
export interface UnwrittenWalk {
  snapshotId: number;
  firstMs: number;
  lastFirstMs: number;
  finishedMs: number | null;
}

/** One step of a reader. */
export interface UnwrittenStep {
  isFirst: boolean;
  isLast: boolean;
  nowMs: number;
}

const MOST_WALKS = 50_000;

/** The walks that could not be written down: known to this process only, until PostgreSQL takes writes again. */
export class UnwrittenWalks {
  private readonly walks = new LRUCache<string, UnwrittenWalk>({ max: MOST_WALKS });

  get(gatewayId: number, reader: Buffer): UnwrittenWalk | null {
    return this.walks.get(nameOf(gatewayId, reader)) ?? null;
  }

  set(gatewayId: number, reader: Buffer, walk: UnwrittenWalk): void {
    this.walks.set(nameOf(gatewayId, reader), walk);
  }

  delete(gatewayId: number, reader: Buffer): void {
    this.walks.delete(nameOf(gatewayId, reader));
  }
}

function nameOf(gatewayId: number, reader: Buffer): string {
  return `${gatewayId}:${reader.toString('base64')}`;
}

/** Whether a page belongs to a walk: its first page is not too long ago, and it is not over and begins again. */
export function isOnWalk(
  walk: UnwrittenWalk,
  { isFirst, nowMs }: Omit<UnwrittenStep, 'isLast'>,
  walkMs: number,
): boolean {
  const { firstMs, lastFirstMs, finishedMs } = walk;
  const isBegunAgain = finishedMs !== null && firstMs <= finishedMs && finishedMs < lastFirstMs;
  if (nowMs - (isBegunAgain ? lastFirstMs : firstMs) >= walkMs) return false;
  return !isFirst || finishedMs === null || lastFirstMs > finishedMs;
}

/** The walk behind a step. @param known the walk that the page belongs to; null when it begins one */
export function steppedWalk(
  known: UnwrittenWalk | null,
  snapshotId: number,
  { isFirst, isLast, nowMs }: UnwrittenStep,
): UnwrittenWalk {
  if (known === null) return { snapshotId, firstMs: nowMs, lastFirstMs: nowMs, finishedMs: isLast ? nowMs : null };
  return {
    ...known,
    lastFirstMs: isFirst ? nowMs : known.lastFirstMs,
    finishedMs: isLast ? nowMs : known.finishedMs,
  };
}
