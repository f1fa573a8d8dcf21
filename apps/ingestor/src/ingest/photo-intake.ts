import { Inject, Injectable } from '@nestjs/common';
import {
  type ArchiveFile,
  onceAllAreOver,
  type PhotoFile,
  type PhotoIntake,
  toPhotoFile,
  type PhotoOutcome,
  type PhotoRequest,
} from '@passerelle/connectors';
import { type Gateway, ListingPhotos, type PhotoRow, type StoredPhotoRow } from '@passerelle/database';
import { BadFeed } from '@passerelle/domain';
import { type Media, MediaStoreError, type PhotoRefusal, PhotoRefused, photoUrl } from '@passerelle/media';
import { LRUCache } from 'lru-cache';
import { MEDIA, PHOTO_BASE_URL } from '../tokens';
import { takenFrom } from './photo-rows';

/** Photos are remembered because agencies name the photos of a housing program in each of its listings. */
const REMEMBERED_FILES = 2_000;

type TakeOnce = (file: ArchiveFile, kind: PhotoRequest['kind']) => Promise<PhotoOutcome>;

/** Takes in photos, floor plans and documents that arrive as files. Known files are not inspected again. */
@Injectable()
export class PhotoIntakes {
  constructor(
    private readonly photos: ListingPhotos,
    @Inject(MEDIA) private readonly media: Pick<Media, 'store' | 'inspect' | 'find'>,
    @Inject(PHOTO_BASE_URL) private readonly baseUrl: string,
  ) {}

  of({ id: gatewayId, currentSnapshotId }: Gateway, isDry: boolean): PhotoIntake {
    const takenHere = new LRUCache<string, Promise<PhotoOutcome>>({ max: REMEMBERED_FILES });
    const takeOnce: TakeOnce = (file, kind) => {
      const key = `${kind} ${file.name}`;
      const taking = takenHere.get(key) ?? this.storeFile(file, kind, isDry);
      takenHere.set(key, taking);
      return taking;
    };
    return {
      key: this.baseUrl,
      ofListing: async (affId) => (currentSnapshotId === null ? [] : await this.photos.ofListing(gatewayId, affId)),
      store: async (wanted) => {
        const names = wanted.map(({ name }) => name);
        const rows = currentSnapshotId === null ? [] : await this.photos.named(gatewayId, names);
        return onceAllAreOver(
          wanted.map((one) =>
            this.storeOne(
              one,
              rows.filter((row) => row.name === one.name && holdsFor(one, row)),
              takeOnce,
            ),
          ),
        );
      },
    };
  }

  /** Finds files of earlier runs by their rows only: it reads no file, and asks nothing of the store. */
  stored({ id: gatewayId }: Pick<Gateway, 'id'>): PhotoIntake {
    return {
      key: this.baseUrl,
      ofListing: (affId) => this.photos.ofListing(gatewayId, affId),
      store: async (wanted) => {
        const rows = await this.photos.named(gatewayId, [...new Set(wanted.map(({ name }) => name))]);
        return wanted.map((one) => {
          const row = rowNear(
            one,
            rows.filter((row) => row.name === one.name && holdsFor(one, row)),
          );
          if (row === undefined || row.stored === null) return toPhotoFile(one, { kind: 'missing' });
          const { name, folder, sizeBytes, crc32 } = row;
          return { name, folder, sizeBytes, crc32, outcome: takenFrom(row.stored, this.baseUrl) };
        });
      },
    };
  }

  /** Whether the store no longer has a photo. An unavailable store does not count as a loss. */
  async isLost({ token, extension }: StoredPhotoRow): Promise<boolean> {
    try {
      return (await this.media.find(`${token}.${extension}`)) === null;
    } catch (error) {
      if (error instanceof MediaStoreError) return false;
      throw error;
    }
  }

  private async storeOne(wanted: PhotoRequest, rows: readonly PhotoRow[], takeOnce: TakeOnce): Promise<PhotoFile> {
    const { file, mayBeEarlier } = wanted;
    if (file === undefined) {
      return (mayBeEarlier ? await this.recall(wanted, rows) : null) ?? toPhotoFile(wanted, { kind: 'missing' });
    }
    const same = rows.find(({ sizeBytes, crc32 }) => sizeBytes === file.sizeBytes && crc32 === file.crc32);
    const known = same === undefined ? null : await this.known(same);
    return toPhotoFile(wanted, known ?? (await takeOnce(file, wanted.kind)));
  }

  /** The photo that an earlier archive had under this name, unless the name is ambiguous. */
  private async recall(wanted: PhotoRequest, rows: readonly PhotoRow[]): Promise<PhotoFile | null> {
    const row = rowNear(wanted, rows);
    if (row === undefined) return null;
    const outcome = await this.known(row);
    if (outcome === null) return null;
    return { name: wanted.name, folder: wanted.folder, sizeBytes: row.sizeBytes, crc32: row.crc32, outcome };
  }

  /** The earlier result of storing the file; null when it has to be stored again. */
  private async known({ stored, refusal }: PhotoRow): Promise<PhotoOutcome | null> {
    if (refusal !== null) return { kind: 'refused', why: refusal, mayRecover: false };
    if (stored === null) return null;
    const taken = takenFrom(stored, this.baseUrl);
    // If the store was lost or moved, its photos are stored again.
    return (await this.media.find(taken.name)) === null ? null : taken;
  }

  private async storeFile(file: ArchiveFile, kind: PhotoRequest['kind'], isDry: boolean): Promise<PhotoOutcome> {
    try {
      const { name, width, height, empreinte } = await (isDry
        ? this.media.inspect(file.open(), kind)
        : this.media.store(file.open(), kind));
      return {
        kind: 'stored',
        name,
        photo: { url: photoUrl(this.baseUrl, name), largeur: width, hauteur: height, empreinte },
      };
    } catch (error) {
      if (error instanceof PhotoRefused) return { kind: 'refused', why: whyRefused(error.reason), mayRecover: false };
      // The next archive may contain the same file undamaged.
      if (error instanceof BadFeed) return { kind: 'refused', why: 'damaged in the archive', mayRecover: true };
      throw error;
    }
  }
}

/** The row of a stored file, unless the name is ambiguous. */
function rowNear(wanted: PhotoRequest, rows: readonly PhotoRow[]): PhotoRow | undefined {
  const stored = rows.filter((row) => row.stored !== null);
  const near = stored.filter(({ folder }) => folder === wanted.folder);
  const [row, ...others] = near.length > 0 ? near : stored;
  return others.some((other) => other.stored?.token !== row?.stored?.token) ? undefined : row;
}

function whyRefused(reason: PhotoRefusal): string {
  return reason.replaceAll('_', ' ');
}

/** Whether an earlier result also applies to this request, because a PDF is accepted as a document only. */
function holdsFor({ kind }: PhotoRequest, { stored, refusal }: PhotoRow): boolean {
  if (kind === 'document') return refusal !== whyRefused('not_an_image');
  return stored?.extension !== 'pdf' && refusal !== whyRefused('not_a_document');
}
