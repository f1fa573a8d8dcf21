import type { FeedCoverage } from '@passerelle/connectors';

/** Listings by their rows. The rows of the current snapshot come first, in its order. */
export interface RowsToArrange {
  /** The rows of the listings in the feed, in its order. */
  inFeed: readonly number[];
  /** The scopes in the feed. */
  scopes: readonly string[];
  scopeInFeed: (row: number) => string;
  currentRows: number;
  currentScope: (row: number) => string;
  withdrawn: ReadonlySet<number>;
}

/** Complete scopes keep their position and take the feed's order; other listings stay; new listings are last. */
export function arrangeRows(coverage: FeedCoverage, rows: RowsToArrange): readonly number[] {
  const { inFeed, currentRows, withdrawn } = rows;
  if (coverage.kind === 'whole') return inFeed;
  const wholeScopes = rowsOfWholeScopes(coverage, rows);
  const arranged = new Set<number>();
  for (let row = 0; row < currentRows; row += 1) {
    const listed = wholeScopes.get(rows.currentScope(row));
    if (listed === undefined) {
      if (!withdrawn.has(row)) arranged.add(row);
      continue;
    }
    for (const one of listed) arranged.add(one);
    // The scope is done: its other rows in the current snapshot are already placed, or removed.
    listed.length = 0;
  }
  for (const row of inFeed) arranged.add(row);
  return [...arranged];
}

/** The scopes whose absent listings are removed, each with the rows of the listings that the feed names. */
function rowsOfWholeScopes(
  coverage: FeedCoverage,
  { inFeed, scopes, scopeInFeed }: RowsToArrange,
): Map<string, number[]> {
  if (coverage.kind !== 'whole-scopes' && coverage.kind !== 'asked') return new Map();
  const wholeScopes = new Map<string, number[]>();
  for (const scope of coverage.scopes ?? scopes) wholeScopes.set(scope, []);
  for (const row of inFeed) wholeScopes.get(scopeInFeed(row))?.push(row);
  return wholeScopes;
}
