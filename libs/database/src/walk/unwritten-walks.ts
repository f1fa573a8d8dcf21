import { LRUCache } from 'lru-cache';

/** A walk, with times in ms by this process' monotonic clock. */
export interface UnwrittenWalk {
  snapshotId: number;
  firstMs: number;
  lastFirstMs: number;
  finishedMs: number | null;
}

/** The owner of a walk: a gateway, and a hash that distinguishes its readers. */
export interface WalkOf {
  gatewayId: number;
  reader: Buffer;
}

/** A page that a reader requests while walks are being written to the database. */
export interface AskedPage extends WalkOf {
  /** Whether it is page 1. */
  isFirst: boolean;
  /** The number of listings that fit on it and the pages before it: the last page is the one that reaches the total. */
  upTo: number;
  /** The id of the snapshot with which a walk begins. */
  begin: number;
}

/** One step of a reader. */
interface UnwrittenStep {
  isFirst: boolean;
  isLast: boolean;
  nowMs: number;
}

const MOST_WALKS = 50_000;

/** One process's record of a reader's walk; ages in ms, so that the clocks of processes do not matter. */
export interface RememberedWalk {
  reader: Buffer;
  snapshotId: number;
  firstAgeMs: number;
  lastFirstAgeMs: number;
  finishedAgeMs: number | null;
}

/** Walks that only this process knows. Bounded: the least recently used are forgotten first. */
export class UnwrittenWalks {
  private readonly walks = new LRUCache<string, UnwrittenWalk>({ max: MOST_WALKS });

  get(gatewayId: number, reader: Buffer): UnwrittenWalk | null {
    return this.walks.get(nameOf(gatewayId, reader)) ?? null;
  }

  set(gatewayId: number, reader: Buffer, walk: UnwrittenWalk): void {
    this.walks.set(nameOf(gatewayId, reader), walk);
  }

  /** The walk to which a page belongs, and that uses this snapshot if one is named; null when there is none. */
  of({ gatewayId, reader, isFirst }: AskedPage, walkSeconds: number, snapshotId?: number): UnwrittenWalk | null {
    const walk = this.get(gatewayId, reader);
    if (walk === null || !isOnWalk(walk, { isFirst, nowMs: performance.now() }, walkSeconds * 1000)) return null;
    return (snapshotId ?? walk.snapshotId) === walk.snapshotId ? walk : null;
  }

  /** Notes a page of a snapshot. @param known the walk to which it belongs; null when it begins one */
  note(
    { gatewayId, reader, isFirst, upTo }: AskedPage,
    { id, total }: { id: number; total: number },
    known: UnwrittenWalk | null,
  ): void {
    const step = { isFirst, isLast: total <= upTo, nowMs: performance.now() };
    this.set(gatewayId, reader, steppedWalk(known, id, step));
  }

  delete(gatewayId: number, reader: Buffer): void {
    this.walks.delete(nameOf(gatewayId, reader));
  }
}

function nameOf(gatewayId: number, reader: Buffer): string {
  return `${gatewayId}:${reader.toString('base64')}`;
}

/**
 * Whether a page belongs to a walk: the walk's first page is recent enough, and the page does not start a finished walk again.
 */
function isOnWalk(walk: UnwrittenWalk, { isFirst, nowMs }: Omit<UnwrittenStep, 'isLast'>, walkMs: number): boolean {
  const { firstMs, lastFirstMs, finishedMs } = walk;
  const isBegunAgain = finishedMs !== null && firstMs <= finishedMs && finishedMs < lastFirstMs;
  if (nowMs - (isBegunAgain ? lastFirstMs : firstMs) >= walkMs) return false;
  return !isFirst || finishedMs === null || lastFirstMs > finishedMs;
}

/** The walk after a step. @param known the walk to which the page belongs; null when it begins one */
function steppedWalk(
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

/** The walk on this process's clock. */
export function fromAges(walk: Omit<RememberedWalk, 'reader'>, nowMs: number): UnwrittenWalk {
  const { snapshotId, firstAgeMs, lastFirstAgeMs, finishedAgeMs } = walk;
  return {
    snapshotId,
    firstMs: nowMs - firstAgeMs,
    lastFirstMs: nowMs - lastFirstAgeMs,
    finishedMs: finishedAgeMs === null ? null : nowMs - finishedAgeMs,
  };
}
