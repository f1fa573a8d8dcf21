import type { Link, Photo } from '@passerelle/domain';

export const COPY_PHOTOS_SETTING = 'copy-photos';
/** For every connector whose photos may have signed addresses. */
export const PHOTO_SETTINGS = {
  [COPY_PHOTOS_SETTING]:
    '"non" serves photos with signed addresses where they are. Default oui: they are copied, because such an address ends.',
};

/** How a format names photos, floor plans and documents after a listing, with a number. All names are in lower case. */
export interface PhotoSeriesRule<R> {
  /** The source's name for the field that could name photos, for warnings. */
  field: string;
  /** Reads a file name without its extension; undefined when it does not match the format's pattern. */
  read: (name: string) => NumberedPhoto | undefined;
  /** Which photo files may belong to the record; undefined when that is unknown. */
  of(record: R): SeriesOfRecord | undefined;
  /** Whether an archive that contains one of a listing's files contains all of them. */
  comesWhole: boolean;
}

/** The fields of a listing that have files. */
export type FileField = 'photos' | 'plans' | 'documents';

export interface NumberedPhoto {
  /** Default `photos`. */
  kind?: FileField;
  /** The name without the number. */
  stem: string;
  number: number;
}

export interface SeriesOfRecord {
  /** The `affId`. */
  id: string;
  stems: readonly string[];
  /**
   * The files that the record names, by kind: file names and addresses. If there are any of a kind, the record has no
   * others of this kind. A format that finds only photos by their names has no other kinds.
   */
  named: Readonly<Partial<Record<FileField, readonly string[]>>> & { readonly photos: readonly string[] };
}

/** A photo that we store: a file of the archive, a file inside the record, or a file at an address that expires. */
export interface FilePhoto {
  /** The name in the feed, possibly with folders, in any letter case. */
  file: string;
  /** Its bytes, when they are inside the record. */
  content?: Buffer;
  /** Whether the photo was found by its name, because no record names it. */
  isNumbered?: boolean;
  /** The address of the photo, used when the archive lacks the file. */
  url?: string;
  /**
   * An address that expires. The photo is fetched from it; `file` identifies the photo even when the address changes.
   */
  dying?: string;
  /** The photo at its signed address: it is served until the photo is copied, and has the same `empreinte` as the copy. */
  signed?: Photo;
  legende?: string;
  /** The source's name for the field, for warnings. */
  field: string;
}

/** A floor plan or document that we store. */
export interface FileLink extends Pick<FilePhoto, 'file' | 'content' | 'field' | 'dying' | 'isNumbered'> {
  /** The link at its signed address: it is served until the file is copied, and has the same `empreinte` as the copy. */
  signed?: Link;
  titre?: string;
}
