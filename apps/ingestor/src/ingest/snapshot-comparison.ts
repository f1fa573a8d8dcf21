import type { ListingChange, Rehashed } from '@passerelle/database';
import { countDuties, countFills, type DutyCounts, type FillCounts } from '@passerelle/domain';
import type { KnownQueries } from './photo-queries';
import type { Placement } from './placement';

export interface Comparison {
  fill: FillCounts;
  duties: DutyCounts;
  /** Generated one by one at each iteration, because in a first import every listing is a change. */
  changes: Iterable<ListingChange>;
  added: number;
  changed: number;
  unchanged: number;
  removed: number;
  /** Whether versions and order equal those of the current snapshot, so that nothing needs to be written. */
  isCurrent: boolean;
}

export interface Candidate extends Comparison {
  versionIds: number[];
  /** Whether the feed has none of the current snapshot's scopes, and does not change their listings. */
  isForeign: boolean;
  /** Versions of the current snapshot whose record bytes or photo files have changed. */
  rehashed: Rehashed[];
  /** The `affId`s of all listings that keep their version because their records cannot be read. */
  kept: string[];
  /** Present when the queries of photos do not count, because all of them are new in every run. */
  queries?: KnownQueries;
  /** How many of the kept listings have unreadable records in this feed. */
  keptOfFeed: number;
}

/** @param rejected the rows of listings with unreadable records, which do not count as absent from the feed */
export function compareSnapshots(
  placement: Placement,
  rows: readonly number[],
  rejected: ReadonlySet<number>,
): Comparison {
  let added = 0;
  let changed = 0;
  for (const row of rows) {
    if (!placement.isInCurrent(row)) added += 1;
    else if (!placement.isCurrentVersion(row, placement.versionIdOf(row))) changed += 1;
  }
  const removed = placement.current.length - (rows.length - added);
  const isCurrent = added + changed + removed === 0 && rows.every((row, index) => row === index);
  const fill = countFills(eachOf(rows, (row) => placement.fillOf(row)));
  const duties = countDuties(eachOf(rows, (row) => placement.dutiesOf(row)));
  const changes = { [Symbol.iterator]: () => changesOf(placement, rows, rejected) };
  return { fill, duties, changes, added, changed, unchanged: rows.length - added - changed, removed, isCurrent };
}

function* eachOf(rows: readonly number[], of: (row: number) => number): Generator<number> {
  for (const row of rows) yield of(row);
}

function* changesOf(
  placement: Placement,
  rows: readonly number[],
  rejected: ReadonlySet<number>,
): Generator<ListingChange> {
  const { current, withdrawn } = placement;
  const isListed = new Uint8Array(current.length);
  for (const row of rows) {
    if (placement.isInCurrent(row)) isListed[row] = 1;
    const versionId = placement.versionIdOf(row);
    if (placement.isCurrentVersion(row, versionId)) continue;
    const affId = placement.affIdOf(row);
    yield placement.isInCurrent(row)
      ? { kind: 'changed', affId, versionId, previousVersionId: current.idOf(row), reason: null }
      : { kind: 'added', affId, versionId, previousVersionId: null, reason: null, isStored: true };
  }
  for (let row = 0; row < current.length; row += 1) {
    if (isListed[row] === 1) continue;
    const reason = withdrawn.has(row) ? 'withdrawn' : rejected.has(row) ? 'rejected' : 'absent';
    yield {
      kind: 'removed',
      affId: placement.affIdOf(row),
      versionId: null,
      previousVersionId: current.idOf(row),
      reason,
    };
  }
}
