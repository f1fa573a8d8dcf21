/** A site's note about a listing that it has. */
export interface KnownListing {
  /** Empty while the site is storing the listing. */
  empreinte: string;
  /** The hash of the photos; empty without photos. */
  photos: string;
}

/** The last list that a site has processed completely. */
export interface Done {
  snapshot: string;
  etag: string;
}

/**
 * Where a site notes the listings that it has. A promise resolves after the note is safely stored, because the process
 * may end at any moment.
 */
export interface SyncStore {
  known(): Promise<ReadonlyMap<string, KnownListing>>;
  note(affId: string, listing: KnownListing): Promise<void>;
  forget(affId: string): Promise<void>;
  done(): Promise<Done | null>;
  setDone(done: Done | null): Promise<void>;
}

/** Everything that a store notes, in a form that JSON can hold. */
export interface SavedStore {
  done: Done | null;
  listings: [affId: string, listing: KnownListing][];
}

/**
 * A store in memory. `save` gets all notes after each change. To keep them in a file, `openFileStore` of
 * `@passerelle/client/file-store` is better: it writes only the new note.
 *
 * @param saved the last value that `save` received
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
