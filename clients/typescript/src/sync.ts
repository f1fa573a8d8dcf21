import type { Manifest, PasserelleClient } from './client.ts';
import { Expired, Unproven } from './failures.ts';
import { isMassRemoval, type RemovalCounts } from './removal.ts';
import type { Done, KnownListing, SyncStore } from './store.ts';
import type { Change, Property } from './types.ts';

export interface SyncOptions {
  client: PasserelleClient;
  store: SyncStore;
  /** A listing that is new or has changed. After an interruption it may be called again for one that it has had. */
  onListing: (listing: Property, about: { isNew: boolean; havePhotosChanged: boolean }) => Promise<void> | void;
  /** A listing that the complete list no longer has; the same holds. */
  onGone: (affId: string) => Promise<void> | void;
  /**
   * A person's answer to a mass removal that no operator has approved, also when the list is proven. Without it, and unless it
   * answers true, nothing is removed or added, and the result is `held`.
   */
  confirmRemoval?: (counts: RemovalCounts) => Promise<boolean> | boolean;
  /** How long it may go on, in ms; what is left is done the next time. */
  timeMs?: number;
  /** Whether to send a report to `/v1/report`; default: yes. */
  reports?: boolean;
}

export interface SyncResult {
  /** Whether the site has the whole list of `snapshot` now; no when the time was up, or when it is held. */
  isComplete: boolean;
  /** Whether the list waits for a person: it takes away many listings, and nothing was removed or added. */
  held: boolean;
  /** The removals that are held; present only when `held` is true. */
  removal?: RemovalCounts;
  snapshot: string;
  added: number;
  updated: number;
  removed: number;
}

/** Listings with each request, and between two looks at the clock. */
const AT_ONCE = 100;
/** More changes than these are better compared: that can be interrupted anywhere. */
const MOST_CHANGES = 200;
/** The changes among which approved removals are found. */
const MOST_LOOKED_THROUGH = 20_000;

/**
 * Brings a site to the list that is served now. It can be stopped at any moment, and goes on where it was; what fails is a
 * `Failure`, and has removed nothing. A mass removal waits for a person (`confirmRemoval`). One at a time for one store.
 *
 * @throws Failure
 */
export async function syncListings(options: SyncOptions): Promise<SyncResult> {
  const sync = new Sync(options);
  return sync.run();
}

class Sync {
  private readonly counts = { added: 0, updated: 0, removed: 0 };
  private readonly deadlineMs: number;
  private removal: RemovalCounts | null = null;

  constructor(private readonly options: SyncOptions) {
    this.deadlineMs = Date.now() + (options.timeMs ?? Infinity);
  }

  async run(): Promise<SyncResult> {
    const { client, store } = this.options;
    const done = await store.done();
    const known = new Map(await store.known());
    let reached: Done | null = null;
    if (done !== null) {
      const current = await client.current(done.etag);
      if (current === null) return { isComplete: true, held: false, snapshot: done.snapshot, ...this.counts };
      if (await this.applyChanges(done.snapshot, current.snapshot, known)) reached = current;
    }
    reached ??= await this.compare(known, done?.snapshot ?? null);
    if (reached === null) {
      const held = this.removal === null ? { held: false } : { held: true, removal: this.removal };
      return { isComplete: false, ...held, snapshot: '', ...this.counts };
    }
    const { snapshot, etag } = reached;
    await store.setDone({ snapshot, etag });
    if (this.options.reports !== false) {
      await client.report({ status: 'success', count: known.size, snapshot, ...this.counts });
    }
    return { isComplete: true, held: false, snapshot, ...this.counts };
  }

  /** A few changes since the list that is here. A client that is interrupted in them compares with the manifest next time. */
  private async applyChanges(since: string, snapshot: string, known: Map<string, KnownListing>): Promise<boolean> {
    const { client, store } = this.options;
    const changes = await this.changesSince(client, since, snapshot, MOST_CHANGES);
    if (changes === null) return false;
    const removals = changes.filter(({ change, approved }) => change === 'removed' && !approved);
    // The comparison holds it back, or asks.
    if (isMassRemoval(removals.length, known.size)) return false;
    await store.setDone(null);
    for (const { affId, change, property, empreinte = '', photos = '' } of changes) {
      if (change === 'removed') await this.remove(affId, known);
      else if (property !== undefined) await this.put(property, { empreinte, photos }, known);
    }
    return true;
  }

  /** Null when they are many or prove nothing, or the token is no longer known: the manifest does. */
  private async changesSince(
    client: PasserelleClient,
    since: string,
    snapshot: string,
    most: number,
  ): Promise<Change[] | null> {
    try {
      return (await client.changes(since, { snapshot, most }))?.changes ?? null;
    } catch (error) {
      if (error instanceof Expired || error instanceof Unproven) return null;
      throw error;
    }
  }

  /** Everything that differs from the manifest, as far as the time goes; null when it was up, or when the list is held. */
  private async compare(known: Map<string, KnownListing>, since: string | null): Promise<Done | null> {
    const { client } = this.options;
    const manifest = await client.manifest();
    if (manifest === null) return null;
    const { lines, snapshot }: Manifest = manifest;
    const wanted = new Map(lines.map(({ affId, empreinte, photos = '' }) => [affId, { empreinte, photos }]));
    const gone = [...known.keys()].filter((affId) => !wanted.has(affId));
    // Before anything is added: additions must not hide how much the list takes away.
    this.removal = await this.heldRemoval(gone, { of: known.size, since, snapshot });
    const isHeld = this.removal !== null;
    // With a held list, only existing listings are updated: added ones could appear twice.
    const left = [...wanted].filter(
      ([affId, { empreinte }]) => known.get(affId)?.empreinte !== empreinte && (!isHeld || known.has(affId)),
    );
    for (let at = 0; at < left.length; at += AT_ONCE) {
      const ids = left.slice(at, at + AT_ONCE).map(([affId]) => affId);
      for (const listing of await client.listings(ids, snapshot)) {
        await this.put(listing, wanted.get(listing.affId) ?? { empreinte: '', photos: '' }, known);
      }
      if (Date.now() > this.deadlineMs) return null;
    }
    if (isHeld) return null;
    for (const affId of gone) await this.remove(affId, known);
    return manifest;
  }

  /** The counts of a mass removal that neither an operator has approved nor a person confirmed; else null. */
  private async heldRemoval(
    gone: readonly string[],
    { of, since, snapshot }: { of: number; since: string | null; snapshot: string },
  ): Promise<RemovalCounts | null> {
    if (!isMassRemoval(gone.length, of)) return null;
    const { client, confirmRemoval } = this.options;
    const changes = since === null ? null : await this.changesSince(client, since, snapshot, MOST_LOOKED_THROUGH);
    const isApproved = new Set((changes ?? []).filter(({ approved }) => approved).map(({ affId }) => affId));
    const approved = gone.filter((affId) => isApproved.has(affId)).length;
    if (!isMassRemoval(gone.length - approved, of)) return null;
    const counts = { removed: gone.length, approved, of, snapshot };
    return (await confirmRemoval?.(counts)) === true ? null : counts;
  }

  /** Noted before it is stored: what is stored and not noted would never be removed. */
  private async put(listing: Property, now: KnownListing, known: Map<string, KnownListing>): Promise<void> {
    const { store, onListing } = this.options;
    const { affId } = listing;
    const before = known.get(affId);
    // Photos that may not have come are those of no list.
    const coming = { empreinte: '', photos: before?.photos === now.photos ? now.photos : '?' };
    known.set(affId, coming);
    await store.note(affId, coming);
    await onListing(listing, { isNew: before === undefined, havePhotosChanged: before?.photos !== now.photos });
    known.set(affId, now);
    await store.note(affId, now);
    this.counts[before === undefined ? 'added' : 'updated'] += 1;
  }

  private async remove(affId: string, known: Map<string, KnownListing>): Promise<void> {
    await this.options.onGone(affId);
    known.delete(affId);
    await this.options.store.forget(affId);
    this.counts.removed += 1;
  }
}
