/** Which parts of the fetched data contain records. */
export interface Opening {
  /** `zip-or-plain` decides by the first bytes, never by the name. */
  container: 'plain' | 'zip' | 'zip-or-plain';
  /**
   * Whether an entry of the archive holds records. Called with the entry's path, in lower case, with `/`; `entryNames`
   * are the paths of all entries, for formats where one file may replace another.
   */
  holdsRecords?(entryName: string, entryNames: readonly string[]): boolean;
  /**
   * Whether an XML entry of another format is skipped, with a warning, as long as another entry is of this format. For
   * connectors whose files state what they list completely.
   */
  passesOverForeign?: true;
  /** Small entries that are read beside the records; their text becomes context `feed[name]`. */
  sidecars?: Readonly<Record<string, (entryName: string) => boolean>>;
  /**
   * The small entry that says whether the archive contains every photo. Without it, or when it does not say so, a photo
   * that the archive lacks stays as an earlier archive delivered it.
   */
  completePhotos?: { named(entryName: string): boolean; says(text: string): boolean };
}

/** The meaning of a listing's absence from a feed. */
export type FeedCoverage =
  | { kind: 'whole' }
  /**
   * Absent listings of these scopes are gone, those of other scopes stay. Without a list: the scopes of the records in
   * the feed.
   */
  | { kind: 'whole-scopes'; scopes?: readonly string[] }
  /** Absent listings stay, except those that the source has deleted. */
  | { kind: 'delta'; deleted?: readonly string[] }
  /**
   * The scopes that were requested completely: their absent listings are gone. New listings in these scopes do not make
   * the feed foreign.
   */
  | { kind: 'asked'; scopes: readonly string[] };
