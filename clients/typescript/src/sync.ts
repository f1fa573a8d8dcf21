import type { Manifest, PasserelleClient } from './client.ts';
import { Expired, Unproven } from './failures.ts';
import { isMassRemoval, type RemovalCounts } from './removal.ts';
import type { Done, KnownListing, SyncStore } from './store.ts';
import type { Change, Property } from './types.ts';

export interface SyncOptions {
  client: PasserelleClient;
  store: SyncStore;
  /** Receives each new or changed listing, after an interruption perhaps again. */
  onListing: (listing: Property, about: { isNew: boolean; havePhotosChanged: boolean }) => Promise<void> | void;
  /** Receives each listing that the complete list lacks, after an interruption perhaps again. */
  onGone: (affId: string) => Promise<void> | void;
  /**
   * Asks a person about a mass removal that no operator has approved. If this function is missing or returns false,
   * nothing is removed or added, and the result is `held`.
   */
  confirmRemoval?: (counts: RemovalCounts) => Promise<boolean> | boolean;
  /** The time limit in ms; the next call does the rest. */
  timeMs?: number;
  /** Whether to send a report to `/v1/report`; default: yes. */
  reports?: boolean;
}

export interface SyncResult {
  /** Whether the site now has the whole list of `snapshot`; false when the time ran out or the list is held. */
  isComplete: boolean;
  /** True when a person must confirm the list's many removals; then nothing was removed or added. */
  held: boolean;
  /** The removals that are held; present only when `held` is true. */
  removal?: RemovalCounts;
  snapshot: string;
  added: number;
  updated: number;
  removed: number;
}

/** Listings per request; the time limit is checked after each request. */
const AT_ONCE = 100;
/** Above this number of changes, the manifest comparison is better, because it can be interrupted anywhere. */
const MOST_CHANGES = 200;
/** Approved removals are searched in at most this many changes. */
const MOST_LOOKED_THROUGH = 20_000;

/**
 * Brings a site up to date with the list that the API serves now. If the process stops, the next call continues. A
 * `Failure` removes nothing. A mass removal waits for a person (`confirmRemoval`). Use each store for one call at a
 * time.
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

  /**
   * Applies a few changes since the list that the store notes. If it is interrupted, the next call compares with the
   * manifest.
   */
  private async applyChanges(since: string, snapshot: string, known: Map<string, KnownListing>): Promise<boolean> {
    const { client, store } = this.options;
    const changes = await this.changesSince(client, since, snapshot, MOST_CHANGES);
    if (changes === null) return false;
    const removals = changes.filter(({ change, approved }) => change === 'removed' && !approved);
    // Leaves a mass removal to the manifest comparison, which may ask a person.
    if (isMassRemoval(removals.length, known.size)) return false;
    await store.setDone(null);
    for (const { affId, change, property, empreinte = '', photos = '' } of changes) {
      if (change === 'removed') await this.remove(affId, known);
      else if (property !== undefined) await this.put(property, { empreinte, photos }, known);
    }
    return true;
  }

  /** Null when the changes are too many or contradictory, or the token has expired: then the manifest decides. */
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

  /** Applies every difference from the manifest. Null when the time ran out or the list is held. */
  private async compare(known: Map<string, KnownListing>, since: string | null): Promise<Done | null> {
    const { client } = this.options;
    const manifest = await client.manifest();
    if (manifest === null) return null;
    const { lines, snapshot }: Manifest = manifest;
    const wanted = new Map(lines.map(({ affId, empreinte, photos = '' }) => [affId, { empreinte, photos }]));
    const gone = [...known.keys()].filter((affId) => !wanted.has(affId));
    // Runs before additions, because additions would hide how large the removal is.
    this.removal = await this.heldRemoval(gone, { of: known.size, since, snapshot });
    const isHeld = this.removal !== null;
    // A held list only updates existing listings, because new listings could appear twice.
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

  /** The counts of a mass removal that waits for a confirmation by a person; null if nothing waits. */
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

  /**
   * Notes the listing before the site stores it, because the site would never remove a stored listing without a note.
   */
  private async put(listing: Property, now: KnownListing, known: Map<string, KnownListing>): Promise<void> {
    const { store, onListing } = this.options;
    const { affId } = listing;
    const before = known.get(affId);
    // `?` matches the photos of no list, because the photos are perhaps not stored yet.
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
