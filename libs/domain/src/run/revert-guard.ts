export interface GuardedListing {
  affId: string;
  /** The change that the revert made: `added` restored the listing, `removed` removed it. */
  kind: 'added' | 'changed' | 'removed';
  /** The `empreinte` that the revert replaced or removed; null for `added`. */
  takenBack: string | null;
}

/** A change that a run would make, with the `empreinte` of the new version; undefined for `removed`. */
export interface IntendedChange {
  affId: string;
  kind: 'added' | 'changed' | 'removed';
  empreinte: string | undefined;
}

/** Whether a change restores a removed listing, removes a restored one, or brings back replaced content. */
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
