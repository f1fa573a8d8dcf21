import type { ListingChange } from '@passerelle/database';
import { type GateFacts, type GuardedListing, undoesRevert } from '@passerelle/domain';

/** Counts the listings of a guarded revert that a run would change back. */
export class RevertCheck {
  private readonly guarded: ReadonlyMap<string, GuardedListing>;
  /** The `empreinte` of each guarded listing in the feed, by `affId`. */
  private readonly empreintes = new Map<string, string>();

  constructor(listings: readonly GuardedListing[]) {
    this.guarded = new Map(listings.map((listing) => [listing.affId, listing]));
  }

  /** Notes a listing of the feed that differs from the current listing. A later record replaces an earlier record. */
  note(affId: string, empreinte: string): void {
    if (this.guarded.has(affId)) this.empreintes.set(affId, empreinte);
  }

  /** Undefined without a guard. */
  factsOf(changes: Iterable<Pick<ListingChange, 'affId' | 'kind'>>): GateFacts['revert'] {
    if (this.guarded.size === 0) return undefined;
    let undone = 0;
    for (const { affId, kind } of changes) {
      const guarded = this.guarded.get(affId);
      if (guarded === undefined) continue;
      if (undoesRevert(guarded, { affId, kind, empreinte: this.empreintes.get(affId) })) undone += 1;
    }
    return { undone, of: this.guarded.size };
  }
}
