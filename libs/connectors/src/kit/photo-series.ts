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
  /** The name of its files without their number. */
  stems: readonly string[];
  /** The record's own photos: file names and addresses. When it has any, those are all. */
  named: readonly string[];
}

/** A photo that is stored with us: a file of the archive, within the record, or at an address that dies. */
export interface FilePhoto {
  /** As the feed names it: maybe with folders, in any case of letters. */
  file: string;
  /** Its bytes, when they are inside the record. */
  content?: Buffer;
  /** Found by its name: no record names it. */
  isNumbered?: boolean;
  /** Where the photo is, for archives that lack the file. */
  url?: string;
  /** Where it is until its address dies: it is fetched from there, and `file` names it whatever the address is. */
  dying?: string;
  legende?: string;
  /** The source's name for the field, for warnings. */
  field: string;
}
