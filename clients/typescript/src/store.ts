/** A site's note about a listing that it has. */
export interface KnownListing {
  /** Empty from the moment that it is about to be stored until it is. */
  empreinte: string;
  /** The same of its photos; empty without photos. */
  photos: string;
}

/** The last list that a site has worked off completely. */
export interface Done {
  snapshot: string;
  etag: string;
}

/** Where a site notes what it has. Each promise resolves once the note is safe: a process may end at any moment. */
export interface SyncStore {
  known(): Promise<ReadonlyMap<string, KnownListing>>;
  note(affId: string, listing: KnownListing): Promise<void>;
  forget(affId: string): Promise<void>;
  done(): Promise<Done | null>;
  setDone(done: Done | null): Promise<void>;
}

/** Everything that a store notes, as JSON can hold it. */
export interface SavedStore {
  done: Done | null;
  listings: [affId: string, listing: KnownListing][];
}

/**
 * A store in memory; `save` is given everything after each note. In a file `openFileStore` of `@passerelle/client/file-store` is
 * better: this writes all listings for each of them.
 *
 * @param saved what `save` was last given
 */
export function memoryStore(
  saved?: SavedStore,
  save: (store: SavedStore) => Promise<void> | void = () => undefined,
): SyncStore {
  const listings = new Map(saved?.listings);
  let done = saved?.done ?? null;
  const keep = async (): Promise<void> => {
    await save({ done, listings: [...listings] });
  };
  return {
    known: () => Promise.resolve(new Map(listings)),
    async note(affId, listing) {
      listings.set(affId, listing);
      await keep();
    },
    async forget(affId) {
      listings.delete(affId);
      await keep();
    },
    done: () => Promise.resolve(done),
    async setDone(to) {
      done = to;
      await keep();
    },
  };
}
