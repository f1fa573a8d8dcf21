/** Which parts of the fetched data contain records. */
export interface Opening {
  /** `zip-or-plain` decides by the first bytes, never by the name. */
  container: 'plain' | 'zip' | 'zip-or-plain';
  /**
   * `entryName` is an entry's path in lower case, with `/`. `entryNames` are all paths, because one file may replace
   * another.
   */
  holdsRecords?(entryName: string, entryNames: readonly string[]): boolean;
  /**
   * Skips XML of another format with a warning, if another entry can be read. Only for formats whose files say what
   * they list completely.
   */
  passesOverForeign?: true;
  /** Small entries that are read beside the records; their text becomes context `feed[name]`. */
  sidecars?: Readonly<Record<string, (entryName: string) => boolean>>;
  /**
   * The entry that says whether the archive contains every photo. If it does not, photos that are missing from the
   * archive stay as they were.
   */
  completePhotos?: { named(entryName: string): boolean; says(text: string): boolean };
}

/** Says which listings are gone when a feed does not contain them. */
export type FeedCoverage =
  | { kind: 'whole' }
  /** Absent listings of these scopes are gone. Without a list: the scopes of the records in the feed. */
  | { kind: 'whole-scopes'; scopes?: readonly string[] }
  /** Absent listings stay, except those that the source has deleted. */
  | { kind: 'delta'; deleted?: readonly string[] }
  /** Scopes requested completely: absent listings are gone. New listings in them do not make the feed foreign. */
  | { kind: 'asked'; scopes: readonly string[] };

/** Whether a new version maps listings again from their stored raw records (docs/adding-a-connector.md). */
export type RemapRule =
  | {
      /** The first version whose raw records have everything that the mapping reads. Raise it when it reads more. */
      since: number;
      /** The elements beside the records that the mapping reads. They are kept with the gateway. */
      beside?: readonly string[];
    }
  | { /** Why the raw records are not sufficient. */ not: string };
