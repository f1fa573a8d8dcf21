import { crc32 } from 'node:zlib';
import type { Link, Listing, Photo } from '@passerelle/domain';
import { linkInstead, withoutFileLinks } from '../../kit/clean/attachments';
import { addressInstead, photoFingerprint, withoutFiles } from '../../kit/clean/photos';
import type { MappedListing, RecordContext } from '../../kit/contracts';
import type { FileField, FileLink, FilePhoto, PhotoSeriesRule, SeriesOfRecord } from '../../kit/photo-series';
import { inGroups } from '../../kit/whole-answers';
import type { ArchiveFile, ArchiveFiles, PhotoFile, PhotoIntake, PhotoOutcome, PhotoRequest } from '../contracts';
import { inOrder, type PhotoSeries, readName, unnamedKinds } from './photo-series';
import { digest } from '../map/record-hash';

type Warn = RecordContext['warn'];

/** A listing whose photos, floor plans and documents all have addresses. */
export interface SettledListing {
  listing: Listing;
  photoFiles?: PhotoFile[];
}

/** A listing of a feed that cannot contain files: each file without an address gives a warning. */
export function withAddressesOnly(mapped: MappedListing, warn: Warn): Listing {
  return withAttachments(Object.assign(mapped, { photos: withoutFiles(mapped.photos, warn) }), (attachments) =>
    withoutFileLinks(attachments, warn),
  );
}

/** A file that no record names. */
type NumberedFile = Pick<FilePhoto, 'file' | 'field' | 'isNumbered'>;

/** Finds the files of listings, and passes them to the intake. */
export class PhotoFiles {
  constructor(
    private readonly intake: PhotoIntake,
    private readonly files: ArchiveFiles,
    /** The folder of the records. */
    private readonly folder: string,
    private readonly series: PhotoSeries,
    /** Fetches a photo from an address that expires. */
    private readonly fetchDying?: (url: string) => AsyncIterable<Buffer>,
  ) {}

  /** The photos that belong to a record although it does not name them. */
  namesFor(record: Buffer): readonly string[] {
    return this.series.namesOf(record);
  }

  /**
   * The files of the kinds that a record does not name: the files with these names, and files of earlier archives.
   * @throws the intake's error.
   */
  async numbered<R>(
    rule: PhotoSeriesRule<R>,
    { id, stems, named }: SeriesOfRecord,
    names: readonly string[],
  ): Promise<Partial<Record<FileField, NumberedFile[]>>> {
    const isWhole = this.files.isComplete || (rule.comesWhole && names.length > 0);
    const rows = isWhole ? [] : ((await this.intake.ofListing?.(id)) ?? []);
    const earlier = rows.filter(({ folder }) => folder.endsWith(SERIES_FOLDER)).map(({ name }) => name);
    const files = [...names, ...earlier].flatMap((name) => readName(rule, name) ?? []);
    const own = files.filter(({ stem }) => stems.includes(stem));
    const found = [...unnamedKinds(named)].map((wanted) => [
      wanted,
      inOrder(own.filter(({ kind = 'photos' }) => kind === wanted)).map((file) => ({
        ...{ file, field: rule.field, isNumbered: true },
      })),
    ]);
    return Object.fromEntries(found) as Partial<Record<FileField, NumberedFile[]>>;
  }

  /** Stores the files of a listing and gives them addresses. @throws the intake's error when nothing can be stored. */
  async settle(mapped: MappedListing, warn: Warn): Promise<SettledListing> {
    const { photos, plans = [], documents = [] } = mapped;
    const wanted = [
      ...photos.flatMap((photo) => ('file' in photo && this.isStored(photo) ? [this.find('photo', photo)] : [])),
      ...[...plans, ...documents].flatMap((one) =>
        'file' in one && this.isStored(one) ? [this.find('document', one)] : [],
      ),
    ];
    const photoFiles: PhotoFile[] = [];
    for (const some of inGroups(wanted, AT_A_TIME)) photoFiles.push(...(await this.intake.store(some)));
    let next = 0;
    const settled = photos.flatMap((photo) => {
      if (!('file' in photo)) return [photo];
      return this.isStored(photo) ? settledPhoto(photo, photoFiles[next++]!, warn) : (addressInstead(photo) ?? []);
    });
    const listing = withAttachments(Object.assign(mapped, { photos: withoutRepeats(settled) }), (attachments) =>
      withoutRepeats(
        attachments.flatMap((one) => {
          if (!('file' in one)) return [one];
          return this.isStored(one) ? settledLink(one, photoFiles[next++]!, warn) : (linkInstead(one) ?? []);
        }),
      ),
    );
    return { listing, photoFiles };
  }

  /** Whether the file belongs into the media store. */
  private isStored({ signed }: FilePhoto | FileLink): boolean {
    return signed === undefined || this.fetchDying !== undefined;
  }

  private find(kind: PhotoRequest['kind'], wanted: FilePhoto | FileLink): PhotoRequest {
    const { file, content, dying, isNumbered = false }: Omit<FilePhoto, 'field' | 'signed'> = wanted;
    const { files, fetchDying } = this;
    const name = indexable(file);
    if (dying !== undefined && fetchDying !== undefined)
      return { kind, name, folder: '', file: fileAtAddress(name, () => fetchDying(dying)), mayBeEarlier: true };
    const folder = isNumbered ? `${this.folder}${SERIES_FOLDER}` : this.folder;
    if (content !== undefined)
      return { kind, name, folder: '', file: fileOfRecord(name, content), mayBeEarlier: false };
    return { kind, name, folder, file: files.find(file, folder), mayBeEarlier: !files.isComplete };
  }
}

/** The photos of a listing that are taken in at the same time, because some of them are fetched. */
const AT_A_TIME = 8;

/** Marks the stored photos that no record named. No archive has a folder with this name. */
const SERIES_FOLDER = '*/';

/** PostgreSQL cannot index a text of more than about 2,700 bytes, and one such name would fail the whole run. */
const LONGEST_NAME_BYTES = 1_024;

function indexable(name: string): string {
  return Buffer.byteLength(name) > LONGEST_NAME_BYTES ? digest(name) : name;
}

/** A file that is identified by its name, because its bytes are unknown before the fetch. */
function fileAtAddress(name: string, open: ArchiveFile['open']): ArchiveFile {
  return { name, sizeBytes: 0, crc32: crc32(name), open };
}

function fileOfRecord(name: string, content: Buffer): ArchiveFile {
  const open = async function* (): AsyncGenerator<Buffer> {
    yield await Promise.resolve(content);
  };
  return { name, sizeBytes: content.length, crc32: crc32(content), open };
}

export function isSameFile(files: ArchiveFiles, remembered: Omit<PhotoFile, 'outcome'>): boolean {
  const file = files.find(remembered.name, remembered.folder);
  if (file === undefined) return remembered.crc32 === null || !files.isComplete;
  return file.crc32 === remembered.crc32 && file.sizeBytes === remembered.sizeBytes;
}

/** Stores nothing: names photos after the archive's directory entries, for trial reads that are not published. */
export const directoryIntake: PhotoIntake = {
  key: '',
  store: (wanted) => Promise.resolve(wanted.map((one) => toPhotoFile(one, namedByDirectory(one.file)))),
};

export function toPhotoFile({ name, folder, file }: PhotoRequest, outcome: PhotoOutcome): PhotoFile {
  const isFinal = file !== undefined && !(outcome.kind === 'refused' && outcome.mayRecover);
  return { name, folder, sizeBytes: isFinal ? file.sizeBytes : null, crc32: isFinal ? file.crc32 : null, outcome };
}

function namedByDirectory(file: ArchiveFile | undefined): PhotoOutcome {
  if (file === undefined) return { kind: 'missing' };
  const { name, sizeBytes, crc32 } = file;
  const empreinte = digest(`${sizeBytes} ${crc32}`).slice(0, 16);
  return { kind: 'stored', name, photo: { url: `archive:${encodeURI(name)}`, empreinte } };
}

/** The photo that the listing shows, if any. Notes in `photoFile` when an address replaces the file. */
function settledPhoto(photo: FilePhoto, photoFile: PhotoFile, warn: Warn): Photo[] {
  const { outcome } = photoFile;
  const { file, field, legende, dying, signed } = photo;
  if (outcome.kind === 'stored') {
    const { url, ...rest } = outcome.photo;
    if (dying !== undefined) rest.empreinte = signed?.empreinte ?? photoFingerprint(file);
    return [{ url, ...(legende !== undefined && { legende }), ...rest }];
  }
  if (outcome.kind === 'refused' && signed === undefined)
    warn('photo_refused', field, `${file.slice(-50)} (${outcome.why})`);
  // A photo at an expiring address would soon be missing on the site, unless each run renews the address.
  const elsewhere = dying === undefined || signed !== undefined ? addressInstead(photo) : undefined;
  if (elsewhere !== undefined) {
    photoFile.isElsewhere = true;
    return [elsewhere];
  }
  if (outcome.kind === 'missing') warn('photo_missing', field, file.slice(0, 120));
  return [];
}

/** The floor plan or document that the listing shows, if any. */
function settledLink(link: FileLink, photoFile: PhotoFile, warn: Warn): Link[] {
  const { file, field, titre, dying, signed } = link;
  const { outcome } = photoFile;
  if (outcome.kind === 'stored') {
    const { url, empreinte } = outcome.photo;
    const lasting = dying === undefined ? empreinte : (signed?.empreinte ?? photoFingerprint(file));
    return [{ url, ...(titre !== undefined && { titre }), empreinte: lasting }];
  }
  if (signed !== undefined) {
    photoFile.isElsewhere = true;
    return [signed];
  }
  if (outcome.kind === 'refused') warn('photo_refused', field, `${file.slice(-50)} (${outcome.why})`);
  else warn('photo_missing', field, file.slice(0, 120));
  return [];
}

/** Replaces floor plans and documents in place. A list that becomes empty is left out. */
function withAttachments(
  mapped: MappedListing & Pick<Listing, 'photos'>,
  settle: (attachments: readonly (Link | FileLink)[]) => Link[],
): Listing {
  for (const field of ['plans', 'documents'] as const) {
    if (mapped[field] === undefined) continue;
    const links = settle(mapped[field]);
    if (links.length === 0) Reflect.deleteProperty(mapped, field);
    else mapped[field] = links;
  }
  return mapped as Listing;
}

/** Two files may be the same photo. */
function withoutRepeats<T extends { url: string }>(photos: readonly T[]): T[] {
  const urls = new Set<string>();
  return photos.filter(({ url }) => !urls.has(url) && urls.add(url));
}
