/** A listing that a revert has changed. */
export interface GuardedListing {
  affId: string;
  /** The change that the revert made: `added` restored the listing, `removed` took it away. */
  kind: 'added' | 'changed' | 'removed';
  /** The `empreinte` that the revert replaced or took away; null with `added`. */
  takenBack: string | null;
}

/** A change that a run would make, with the `empreinte` of what would be served; undefined with `removed`. */
export interface IntendedChange {
  affId: string;
  kind: 'added' | 'changed' | 'removed';
  empreinte: string | undefined;
}

/**
 * Whether a change would undo what a revert did to its listing: bring back a listing that it took away, remove one that it
 * restored, or bring back the content that it replaced.
 */
export function undoesRevert(guarded: GuardedListing, change: IntendedChange): boolean {
  switch (guarded.kind) {
    case 'added':
      return change.kind === 'removed';
    case 'removed':
      return change.kind === 'added';
    case 'changed':
      return change.kind === 'changed' && guarded.takenBack !== null && change.empreinte === guarded.takenBack;
  }
}
