/** How a format calls photos after a listing, with a number. All names are in lower case. */
export interface PhotoSeriesRule<R> {
  /** The source's name for the field that could name photos, for warnings. */
  field: string;
  /** Reads the name of a file without its extension; undefined when it is not of the format's pattern. */
  read: (name: string) => NumberedPhoto | undefined;
  /** Whose photos may be the record's; undefined where it cannot be said. */
  of(record: R): SeriesOfRecord | undefined;
  /** Whether an archive with one of a listing's files has all of them. */
  comesWhole: boolean;
}

export interface NumberedPhoto {
  /** The name without the number. */
  stem: string;
  number: number;
}

export interface SeriesOfRecord {
  /** The `affId`. */
  id: string;
  /** What its files are called without their number. */
  stems: readonly string[];
  /** What the record itself says of photos: file names and addresses. Where it says something, that is all it has. */
  named: readonly string[];
}
