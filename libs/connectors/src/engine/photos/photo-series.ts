import { hash } from 'node:crypto';
import type { FileField, NumberedPhoto, PhotoSeriesRule, SeriesOfRecord } from '../../kit/photo-series';

/** Photos of an archive that are not listed in any record: files named after a listing, with a number. */
export class PhotoSeries {
  private readonly names = new Map<string, readonly string[]>();

  add(recordKey: string, photos: readonly NamedPhoto[]): void {
    if (photos.length > 0) this.names.set(recordKey, inOrder(photos));
  }

  namesOf(record: Buffer): readonly string[] {
    return this.names.size === 0 ? [] : (this.names.get(recordKey(record)) ?? []);
  }
}

/** A file of the archive whose name has a number. */
export interface NamedPhoto extends NumberedPhoto {
  /** The file name in lower case, without folders. */
  name: string;
}

const EXTENSION = /\.(?:jpe?g|png|gif|webp|bmp)$/;
const PDF = /\.pdf$/;

/** Reads an archive's file name; undefined when it is not the name of a numbered photo. */
export function readName({ read }: Pick<PhotoSeriesRule<unknown>, 'read'>, name: string): NamedPhoto | undefined {
  const isPdf = PDF.test(name);
  const numbered = isPdf || EXTENSION.test(name) ? read(withoutExtension(name)) : undefined;
  if (numbered === undefined || (isPdf && (numbered.kind ?? 'photos') === 'photos')) return undefined;
  return { ...numbered, name };
}

/** The kinds of files that a record does not name, so that files with its name may be its own. */
export function unnamedKinds(named: SeriesOfRecord['named']): Set<FileField> {
  return new Set((Object.keys(named) as FileField[]).filter((kind) => named[kind]?.length === 0));
}

/** The distinct names of photos, ordered by number. */
export function inOrder(photos: readonly NamedPhoto[]): string[] {
  const sorted = [...photos].sort((a, b) => a.number - b.number || (a.name < b.name ? -1 : 1));
  return [...new Set(sorted.map(({ name }) => name))];
}

export function withoutExtension(name: string): string {
  return name.replace(EXTENSION, '').replace(PDF, '');
}

/** A hash of the record's bytes. */
export function recordKey(record: Buffer): string {
  return hash('sha256', record, 'hex').slice(0, 32);
}
